import type { Message, State } from './texts.ts';

export interface Sim {
  simNumber: number;
  /** `+…` */
  number: string;
  /** As a person knows it: `MTN`, `Telecel`, `AT`. */
  network: string;
}

export interface DeviceSettings {
  id: string;
  name: string;
  /** Signs the callbacks of this phone. */
  signingKey: string;
  sims: Sim[];
}

/** What becomes of the texts that a phone is to send: a SIM may have no airtime, or a network take its time. */
export const textOutcomes = ['sent', 'late', 'failed'] as const;
export type TextOutcome = (typeof textOutcomes)[number];
/** How late a late text is, and a receipt that is made to come late. */
export const LATE_MS = 30_000;
/** What the app says of a text that the network did not take. */
const NOT_SENT = 'Send result: RESULT_ERROR_GENERIC_FAILURE';
/** How many the server gives at a time. The phone asks when it is notified of one, when it pings, and now and then. */
const TEXTS_PER_PULL = 100;
const PULL_MS = 15 * 60 * 1000;

/** Texts being sent at once. At 20 ms each, some 400 are sent in a second, in the order they came. */
const TEXTS_AT_ONCE = 8;

interface DeviceOptions {
  /** How long sending a text takes, and then its delivery report. */
  sendMs: number;
  lateMs: number;
  pingMs: number;
  moved: (message: Message) => void;
  ping: () => void;
}

/** One phone: pulls its messages from the server while it is on, and moves each from state to state. */
export class Device {
  readonly settings: DeviceSettings;
  readonly #startedAt = new Date();
  readonly #options: DeviceOptions;
  /** What waits at the server, in order of arrival. */
  #waiting: Message[] = [];
  /** What the phone has pulled and not sent, the next one first. */
  #pulled: Message[] = [];
  /** Delivery reports that came while the phone was off. */
  #missedReports: Message[] = [];
  #sending = 0;
  /** What becomes of texts from now on. */
  texts: TextOutcome = 'sent';
  #offSinceEpochMs: number | undefined;
  /** As a phone whose app was silenced to save battery: everything else works. */
  pings = true;
  /** As a phone whose app no longer learns of texts that arrive, while it sends and pings. They stay in its inbox. */
  hears = true;
  /** Posts like an app older than 1.54.0. */
  isOld = false;
  readonly #pinging: NodeJS.Timeout;
  readonly #pulling: NodeJS.Timeout;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(settings: DeviceSettings, options: DeviceOptions) {
    this.settings = settings;
    this.#options = options;
    this.#pinging = setInterval(() => {
      if (!this.isOn || !this.pings) return;
      options.ping();
      this.#pull();
    }, options.pingMs);
    this.#pulling = setInterval(() => this.#pull(), PULL_MS);
  }

  get isOn(): boolean {
    return this.#offSinceEpochMs === undefined;
  }

  get pendingCount(): number {
    return [...this.#waiting, ...this.#pulled].filter((message) => message.state === 'Pending').length;
  }

  /** The SIM of that number; without one the phone's default, its first. */
  sim(simNumber?: number | null): Sim | undefined {
    const { sims } = this.settings;
    return simNumber == null ? sims[0] : sims.find((sim) => sim.simNumber === simNumber);
  }

  /** The device as SMSGate's server answers it: which number sits where is for the client to know. */
  present() {
    return {
      id: this.settings.id,
      name: this.settings.name,
      createdAt: this.#startedAt,
      updatedAt: this.#startedAt,
      lastSeen: new Date(this.#offSinceEpochMs ?? Date.now()),
      simCards: this.settings.sims.map(({ simNumber, number, network }) => ({
        slotIndex: simNumber - 1,
        simNumber,
        phoneNumber: `${number.slice(0, 4)}***${number.slice(-2)}`,
        carrierName: network,
      })),
    };
  }

  enqueue(message: Message): void {
    this.#waiting.push(message);
    this.#pullSoon();
  }

  /** Continues with a message from before a restart. What was accepted but not sent is still to be sent. */
  resume(message: Message): void {
    if (message.state === 'Pending' || message.state === 'Cancelling' || message.state === 'Processed') {
      this.enqueue(message);
    } else if (message.state === 'Sent' && message.withDeliveryReport) {
      this.#later(() => this.#deliver(message));
    }
  }

  /** The phone hears of a cancelled message as of any other, when its turn comes. */
  cancel(message: Message): void {
    this.#move(message, 'Cancelling');
    this.#pullSoon();
  }

  switch(on: boolean): void {
    if (on === this.isOn) return;
    this.#offSinceEpochMs = on ? undefined : Date.now();
    if (!on) return;
    const reports = this.#missedReports;
    this.#missedReports = [];
    for (const message of reports) this.#deliver(message);
    this.#pull();
  }

  stop(): void {
    clearInterval(this.#pinging);
    clearInterval(this.#pulling);
    for (const timer of this.#timers) clearTimeout(timer);
    this.switch(false);
  }

  /** Not immediately: the caller is answered `Pending` first. */
  #pullSoon(): void {
    this.#later(() => this.#pull(), 0);
  }

  /** Higher priority first, and the newest first within one, as server and app have it. */
  #pull(): void {
    if (!this.isOn) return;
    const pulled = byPriority(this.#waiting).slice(0, TEXTS_PER_PULL);
    this.#waiting = this.#waiting.filter((message) => !pulled.includes(message));
    this.#pulled = byPriority([...this.#pulled.toReversed(), ...pulled.toReversed()]);
    this.#take();
  }

  #take(): void {
    while (this.isOn && this.#sending < TEXTS_AT_ONCE) {
      const message = this.#pulled.shift();
      if (message === undefined) return;
      if (message.state === 'Cancelling') {
        this.#move(message, 'Cancelled');
      } else if (message.validUntilEpochMs !== undefined && message.validUntilEpochMs <= Date.now()) {
        message.failure = 'TTL expired';
        this.#move(message, 'Failed');
      } else {
        this.#send(message);
      }
    }
  }

  #send(message: Message): void {
    if (this.sim(message.simNumber) === undefined) {
      message.failure = `Can't send message: SIM ${message.simNumber} not found`;
      this.#move(message, 'Failed');
      return;
    }
    const outcome = this.texts;
    this.#move(message, 'Processed');
    // A late one waits for the network and keeps no other waiting.
    const occupies = outcome === 'late' ? 0 : 1;
    this.#sending += occupies;
    this.#later(
      () => {
        this.#sending -= occupies;
        if (outcome === 'failed') message.failure = NOT_SENT;
        this.#move(message, outcome === 'failed' ? 'Failed' : 'Sent');
        if (outcome !== 'failed' && message.withDeliveryReport) this.#later(() => this.#deliver(message));
        this.#take();
      },
      outcome === 'late' ? this.#options.lateMs : undefined,
    );
  }

  #deliver(message: Message): void {
    if (this.isOn) this.#move(message, 'Delivered');
    else this.#missedReports.push(message);
  }

  #move(message: Message, state: State): void {
    message.state = state;
    message.states[state] ??= new Date().toISOString();
    this.#options.moved(message);
  }

  #later(then: () => void, ms = this.#options.sendMs): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }
}

/** The newest first within a priority, of messages in order of arrival. */
function byPriority(messages: readonly Message[]): Message[] {
  return messages.toReversed().sort((one, other) => other.priority - one.priority);
}
