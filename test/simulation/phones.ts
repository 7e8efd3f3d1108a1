import * as z from 'zod';

const Message = z.object({
  id: z.string(),
  deviceId: z.string(),
  phoneNumbers: z.tuple([z.string()]),
  textMessage: z.object({ text: z.string() }),
  ttl: z.number().optional(),
});

const Refresh = z.object({ since: z.string(), until: z.string(), deviceId: z.string() });

/** An SMS received by a phone. */
export interface Arrived {
  readonly device: string;
  readonly message: string;
  readonly sender: string;
  readonly receivedAt: string;
}

export interface Held {
  readonly id: string;
  readonly device: string;
  readonly to: string;
  readonly text: string;
  /** When the gateway accepted the text, and when the text expires on the phone. Undefined in old fixtures. */
  readonly takenMs?: number;
  readonly dropMs?: number | undefined;
  /** The phone's error if the text failed. */
  error?: string;
  state: 'Pending' | 'Sent' | 'Delivered' | 'Failed';
}

/** A simulated gateway with phones. Each phone sends an id once. */
export class SimulatedPhones {
  readonly held: Held[] = [];
  /** Number of times each id was sent. */
  readonly sent = new Map<string, number>();
  readonly on: Map<string, boolean>;
  /** The gateway's fault. */
  fault: 'down' | 'rejects' | 'hangs' | undefined;
  /** Phones that forward nothing, although they still send texts and ping. */
  readonly deaf = new Set<string>();
  /** Texts that the phones still have to forward. */
  inbox: Arrived[] = [];
  /** Forwards a text found in a phone's inbox. */
  post: (found: Arrived) => void = () => {};
  /** True if the gateway can make phones read their inbox. */
  refreshes = true;
  /** True if the gateway can list delivery results. */
  lists = true;
  /** Phones without their SIM. The gateway lists a different SIM. */
  readonly withoutSim = new Set<string>();
  readonly #now: () => number;
  #seenMs = new Map<string, number>();

  constructor(devices: readonly string[], now: () => number) {
    this.on = new Map(devices.map((device) => [device, true]));
    this.#now = now;
  }

  /** Copies another instance's state. */
  goOnFrom(other: SimulatedPhones): void {
    const { held, sent, on, fault, deaf, inbox, refreshes, lists, withoutSim } = other;
    Object.assign(this, structuredClone({ held, sent, on, fault, deaf, inbox, refreshes, lists, withoutSim }));
    this.#seenMs = new Map(other.#seenMs);
  }

  async answer(request: Request): Promise<Response> {
    if (this.fault === 'down') return Response.json({ message: 'down' }, { status: 502 });
    if (this.fault === 'rejects') return Response.json({ message: 'who are you' }, { status: 401 });
    if (this.fault === 'hangs') throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^.*\/v1/, '');
    if (request.method === 'POST' && path === '/messages') return this.#take(await request.json());
    if (request.method === 'POST' && path === '/inbox/refresh') return this.#refresh(await request.json());
    if (path === '/devices')
      return Response.json(
        [...this.on.keys()].map((id) => {
          const simCards = [{ simNumber: this.withoutSim.has(id) ? 2 : 1 }];
          return { id, lastSeen: this.#lastSeen(id), simCards };
        }),
      );
    if (path === '/messages') {
      const offset = Number(searchParams.get('offset'));
      const page = this.held.toReversed().slice(offset, offset + Number(searchParams.get('limit')));
      return this.lists
        ? Response.json(page.map(stateOf))
        : Response.json({ message: 'no such path' }, { status: 404 });
    }
    const held = this.held.find(({ id }) => path === `/messages/${id}`);
    return held ? Response.json(stateOf(held)) : Response.json({ message: 'unknown' }, { status: 404 });
  }

  /** Makes online phones send their texts. Returns the delivery results. */
  work(outcome: (text: Held) => 'Sent' | 'Failed'): Held[] {
    const moved = this.held.filter(({ state, device }) => state === 'Pending' && this.on.get(device));
    for (const text of moved) {
      // The gateway accepts texts for a missing SIM.
      const isDropped = text.dropMs !== undefined && this.#now() >= text.dropMs;
      if (isDropped) text.error = 'TTL expired';
      text.state = isDropped || this.withoutSim.has(text.device) ? 'Failed' : outcome(text);
      if (text.state === 'Sent') this.sent.set(text.id, (this.sent.get(text.id) ?? 0) + 1);
    }
    return moved;
  }

  /** Returns the codes sent to a number. */
  codesTo(number: string): string[] {
    const arrived = this.held.filter(({ id, to }) => to === number && this.sent.has(id));
    return arrived.flatMap(({ text }) => /^\d{6}(?= is your code)/.exec(text) ?? []);
  }

  switch(device: string, on: boolean): void {
    if (!on) this.#seenMs.set(device, this.#now());
    this.on.set(device, on);
  }

  #take(body: unknown): Response {
    const { id, deviceId, phoneNumbers, textMessage, ttl } = Message.parse(body);
    if (!this.on.has(deviceId)) return Response.json({ message: 'no such device' }, { status: 400 });
    if (this.held.some((text) => text.id === id && text.device === deviceId)) {
      return Response.json({ message: 'exists' }, { status: 409 });
    }
    const takenMs = this.#now();
    const times = { takenMs, dropMs: ttl === undefined ? undefined : takenMs + ttl * 1000 };
    this.held.push({ id, device: deviceId, to: phoneNumbers[0], text: textMessage.text, ...times, state: 'Pending' });
    return Response.json({ id, state: 'Pending' }, { status: 202 });
  }

  #refresh(body: unknown): Response {
    if (!this.refreshes) return Response.json({ message: 'no such path' }, { status: 404 });
    const { since, until, deviceId } = Refresh.parse(body);
    const isFound = ({ device, receivedAt }: Arrived) =>
      device === deviceId && receivedAt >= since && receivedAt <= until;
    const found = this.inbox.filter(isFound);
    this.inbox = this.inbox.filter((one) => !isFound(one));
    for (const one of found) this.post(one);
    return new Response(null, { status: 202 });
  }

  #lastSeen(device: string): string {
    return new Date(this.on.get(device) ? this.#now() : (this.#seenMs.get(device) ?? this.#now())).toISOString();
  }
}

/** Returns the gateway's report about a text. */
function stateOf({ id, state, error }: Held) {
  return { id, state, ...(error && { recipients: [{ error }] }) };
}
