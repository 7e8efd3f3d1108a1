import type { Message, State } from './texts.ts';

export interface Sim {
  simNumber: number;
  number: string;
  network: string;
}

export interface DeviceSettings {
  id: string;
  name: string;
  signingKey: string;
  sims: Sim[];
}

export const textOutcomes = ['sent', 'late', 'failed'] as const;
export type TextOutcome = (typeof textOutcomes)[number];
export const LATE_MS = 30_000;
const NOT_SENT = 'Send result: RESULT_ERROR_GENERIC_FAILURE';
/** Maximum number of messages per pull. */
const TEXTS_PER_PULL = 100;
const PULL_MS = 15 * 60 * 1000;

/** Texts sent in parallel, in order of arrival. At 20 ms per text, this is about 400 per second. */
const TEXTS_AT_ONCE = 8;

interface DeviceOptions {
  /** Milliseconds until a text is sent, and then until its delivery is reported. */
  sendMs: number;
  lateMs: number;
  pingMs: number;
  moved: (message: Message) => void;
  ping: () => void;
}

/** A simulated phone that pulls messages while it is on. */
export class Device {
  readonly settings: DeviceSettings;
  readonly #startedAt = new Date();
  readonly #options: DeviceOptions;
  #waiting: Message[] = [];
  #pulled: Message[] = [];
  #missedReports: Message[] = [];
  #sending = 0;
  texts: TextOutcome = 'sent';
  #offSinceEpochMs: number | undefined;
  /** False simulates an app that cannot ping because of the battery saver. */
  pings = true;
  /** False simulates an app that misses incoming texts. It still sends texts and pings. */
  hears = true;
  /** True simulates an app older than 1.54.0. */
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

  sim(simNumber?: number | null): Sim | undefined {
    const { sims } = this.settings;
    return simNumber == null ? sims[0] : sims.find((sim) => sim.simNumber === simNumber);
  }

  /** Returns the device as in SMSGate's API, without the SIMs' numbers. */
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

  /** Restores a message from before a restart. Sends it unless it was already sent. */
  resume(message: Message): void {
    if (message.state === 'Pending' || message.state === 'Cancelling' || message.state === 'Processed') {
      this.enqueue(message);
    } else if (message.state === 'Sent' && message.withDeliveryReport) {
      this.#later(() => this.#deliver(message));
    }
  }

  /** Requests a cancellation. The phone applies the cancellation only when it is about to send the message. */
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

  /** Pulls after the caller has seen the `Pending` state, but before the next request. */
  #pullSoon(): void {
    setImmediate(() => this.#pull());
  }

  /** Pulls messages by priority. Within each priority, the newest come first, as on the server and in the app. */
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
    // A late text does not block other texts.
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

/** Sorts messages by priority, and newest first within each priority. `messages` are in order of arrival. */
function byPriority(messages: readonly Message[]): Message[] {
  return messages.toReversed().sort((one, other) => other.priority - one.priority);
}
