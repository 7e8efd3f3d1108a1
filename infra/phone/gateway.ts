import { createHash, randomBytes, randomInt } from 'node:crypto';
import { COUNTRY_CODE } from '../../shared/ghana/country.ts';
import type { Network } from '../../shared/ghana/network.ts';
import { Device, type DeviceSettings, type Sim } from './device.ts';
import { type Memory, MemoryFile, type Webhook } from './memory.ts';
import { type Delivery, Outbox } from './outbox.ts';
import {
  chargeOfReference,
  knownNetwork,
  type OpenCharge,
  type Outcome,
  type ReceiptWriter,
  receiptWriters,
  reversalText,
} from './payment.ts';
import {
  type ListRequest,
  type PayRequest,
  type ReceiveRequest,
  type RefreshRequest,
  Refusal,
  type SendBackRequest,
  type SendRequest,
  type SwitchRequest,
  type TextsRequest,
  type WebhookRequest,
} from './requests.ts';
import { countParts, type Message, presentSent, type Received, type SentText, type State } from './texts.ts';

export interface GatewayOptions {
  devices: DeviceSettings[];
  queueLimit: number;
  sendMs: number;
  lateMs: number;
  /** Ping interval in milliseconds. The recommended app settings use five minutes. */
  pingMs: number;
  retryBaseMs: number;
  keepFile?: string | undefined;
  moved?: ((message: Message) => void) | undefined;
  openCharges: () => Promise<OpenCharge[]>;
  /** Returns the service's decision about a payment to `number` (`+…`), or undefined if undecided. */
  outcomeOf: (transactionId: string, number: string) => Promise<Outcome | undefined>;
}

export const OPENING_BALANCE_PESEWAS = 137_45;
const SOME_PAYER = `${COUNTRY_CODE}209876543`;

type PaymentTakenOut = NonNullable<Received['payment']> & { balancePesewas: number };

/** Simulates SMSGate's server and its phones, without HTTP. */
export class Gateway {
  devices: Device[];
  readonly #options: GatewayOptions;
  #messages: Message[];
  readonly #known: Set<string>;
  readonly #sent: Message[];
  readonly received: Received[];
  webhooks: readonly Webhook[];
  readonly #outbox: Outbox;
  readonly #memoryFile: MemoryFile;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: GatewayOptions, memory: Memory) {
    this.#options = options;
    this.#messages = memory.messages;
    this.#known = new Set(memory.messages.map(keyOf));
    this.#sent = memory.messages
      .filter(({ states }) => states.Sent !== undefined)
      .toSorted((one, other) => sentAt(one).localeCompare(sentAt(other)));
    this.received = memory.received;
    this.webhooks = memory.webhooks;
    this.#memoryFile = new MemoryFile(options.keepFile, () => ({
      messages: this.#messages,
      received: this.received,
      webhooks: [...this.webhooks],
      callbacks: this.#outbox.callbacks,
    }));
    this.devices = options.devices.map((settings) => {
      const device: Device = new Device(settings, {
        ...options,
        moved: (message) => this.#moved(message),
        ping: () => void this.#emit('system:ping', device, { health: { status: 'pass' } }),
      });
      return device;
    });
    this.#outbox = new Outbox({
      ...options,
      device: (id) => this.#findDevice(id),
      changed: () => this.#memoryFile.changed(),
    });
    for (const message of memory.messages) this.#findDevice(message.deviceId)?.resume(message);
    for (const callback of memory.callbacks) void this.#outbox.add(callback);
  }

  /**
   * Accepts a message. @throws Refusal like SMSGate: 400 for an unknown device, 409 for a duplicate id, 503 for a full
   * queue.
   */
  accept(request: SendRequest): Message {
    const device = request.deviceId ? this.#findDevice(request.deviceId) : this.#anyDevice();
    if (device === undefined) throw new Refusal(400, 'There is no such device');
    // The server does not know which SIMs a phone has, so the phone reports a missing SIM later.
    const sim = device.sim(request.simNumber);
    const message: Message = {
      id: request.id || newId(),
      deviceId: device.settings.id,
      simNumber: sim?.simNumber ?? request.simNumber ?? 1,
      from: sim?.number ?? '',
      createdAtEpochMs: Date.now(),
      phoneNumbers: request.phoneNumbers,
      text: request.text,
      priority: request.priority ?? 0,
      withDeliveryReport: request.withDeliveryReport ?? true,
      validUntilEpochMs: readValidUntil(request),
      state: 'Pending',
      states: { Pending: new Date().toISOString() },
    };
    if (this.#known.has(keyOf(message))) throw new Refusal(409, 'A message with this id exists on this device');
    if (device.pendingCount >= this.#options.queueLimit) {
      throw new Refusal(503, 'failed to enqueue message: queue limits exceeded: too many pending messages');
    }
    this.#known.add(keyOf(message));
    this.#messages.push(message);
    device.enqueue(message);
    this.#memoryFile.changed();
    return message;
  }

  find(id: string): Message {
    const message = this.found(id);
    if (message === undefined) throw new Refusal(404, 'There is no such message');
    return message;
  }

  found(id: string): Message | undefined {
    return this.#messages.findLast((other) => other.id === id);
  }

  list({ from, to, state, deviceId, limit, offset }: ListRequest): Message[] {
    const isWanted = (message: Message) =>
      message.createdAtEpochMs >= Date.parse(from ?? '1970-01-01T00:00:00Z') &&
      message.createdAtEpochMs < (to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)) &&
      (state === undefined || message.state === state) &&
      (deviceId === undefined || message.deviceId === deviceId);
    return this.#messages
      .filter(isWanted)
      .toReversed()
      .slice(offset, offset + limit);
  }

  removeDevice(id: string): void {
    this.#deviceOrFirst(id).stop();
    this.devices = this.devices.filter(({ settings }) => settings.id !== id);
    this.#messages = this.#messages.filter(({ deviceId }) => deviceId !== id);
    this.#memoryFile.changed();
  }

  cancel(id: string): Message {
    const message = this.find(id);
    if (message.state !== 'Pending') throw new Refusal(409, `The message is not pending, it is ${message.state}`);
    this.#findDevice(message.deviceId)?.cancel(message);
    return message;
  }

  addWebhook({ id, url, event, deviceId }: WebhookRequest): Webhook {
    if (deviceId != null && this.#findDevice(deviceId) === undefined) throw new Refusal(400, 'There is no such device');
    const webhook = { id: id || newId(), url, event, deviceId: deviceId ?? null };
    this.webhooks = [...this.webhooks.filter((other) => other.id !== webhook.id), webhook];
    this.#memoryFile.changed();
    return webhook;
  }

  removeWebhook(id: string): void {
    this.webhooks = this.webhooks.filter((other) => other.id !== id);
    this.#memoryFile.changed();
  }

  get sent(): SentText[] {
    return this.#sent.flatMap(presentSent);
  }

  openCharges(): Promise<OpenCharge[]> {
    return this.#options.openCharges();
  }

  switch({ device_id, on, pings, hears, is_old }: SwitchRequest): void {
    for (const device of this.#devicesOf(device_id)) {
      if (on !== undefined) device.switch(on);
      if (pings !== undefined) device.pings = pings;
      if (hears !== undefined) device.hears = hears;
      if (is_old !== undefined) device.isOld = is_old;
    }
    this.#outbox.pump();
  }

  setTexts({ device_id, texts }: TextsRequest): void {
    for (const device of this.#devicesOf(device_id)) device.texts = texts;
  }

  /**
   * Delivers an SMS to a phone. The recipient defaults to the number of the phone's first SIM.
   * @throws Refusal 404 for an unknown device, 400 for an unknown SIM.
   */
  receive({ sender, message, simNumber, recipient, device_id, times, lost }: ReceiveRequest): Promise<Delivery[]> {
    const device = this.#deviceOrFirst(device_id);
    const ofRecipient = device.settings.sims.find(({ number }) => number === recipient);
    const sim = simNumber == null ? (ofRecipient ?? device.sim()) : device.sim(simNumber);
    if (sim === undefined) throw new Refusal(400, `The device has no SIM ${simNumber}`);
    return this.#arrive(device, lost ? 0 : times, {
      sender,
      message,
      simNumber: simNumber === null ? null : sim.simNumber,
      recipient: recipient === undefined ? sim.number : recipient,
    });
  }

  /**
   * Makes a payment to a SIM's wallet. The network confirms the payment by SMS.
   * @throws Refusal 404 for an unknown device, 400 for an unknown SIM or a receipt that cannot be written.
   */
  async pay(
    request: PayRequest,
  ): Promise<{ text: string; transaction_id: string; deliveries: Delivery[]; late_seconds?: number }> {
    const { device, sim } = await this.#paidSim(request);
    const network = request.network ?? knownNetwork(sim.network);
    const writer = writerOf(network, network ?? sim.network);
    const payment = {
      transactionId: writer.newTransactionId(),
      amountPesewas: request.amount.pesewas,
      network: writer.network,
      // Networks print registered names in capitals.
      payerName: request.name.toUpperCase(),
      payerPhone: request.payerPhone ?? SOME_PAYER,
    };
    const balancePesewas = this.balanceOf(sim.number) + payment.amountPesewas;
    const transaction_id = payment.transactionId;
    const text = writer.write({ ...payment, balancePesewas, reference: request.reference, paidAt: new Date() });
    const arrives = () =>
      this.#arrive(device, request.lost ? 0 : request.times, {
        sender: writer.sender,
        message: text,
        simNumber: sim.simNumber,
        recipient: sim.number,
        balancePesewas,
        payment,
      });
    if (!request.late) return { text, transaction_id, deliveries: await arrives() };
    this.#later(arrives);
    return { text, transaction_id, deliveries: [], late_seconds: this.#options.lateMs / 1000 };
  }

  async outcomeOf(transactionId: string): Promise<Outcome | undefined> {
    const number = this.#paymentOf(transactionId)?.recipient;
    return number ? this.#options.outcomeOf(transactionId, number) : undefined;
  }

  #paymentOf(transactionId: string): Received | undefined {
    return this.received.find(({ payment }) => payment?.transactionId === transactionId);
  }

  /**
   * Reverses a simulated payment. The network reports the reversal by SMS. @throws Refusal 404 for an unknown payment.
   */
  reverse(transactionId: string): Promise<{ text: string; deliveries: Delivery[] }> {
    return this.#takeOut(transactionId, reversalText);
  }

  /**
   * Refunds a simulated payment, in full by default. The network reports the refund by SMS.
   * @throws Refusal 404 for an unknown payment.
   */
  sendBack({ transaction_id, amount }: SendBackRequest): Promise<{ text: string; deliveries: Delivery[] }> {
    const textOf = (payment: PaymentTakenOut) => {
      const writer = writerOf(payment.network);
      const transfer = { transactionId: writer.newTransactionId(), reference: 'refund', paidAt: new Date() };
      return writer.writeSentBack({ ...payment, ...transfer });
    };
    return this.#takeOut(transaction_id, textOf, amount?.pesewas);
  }

  async #takeOut(
    transactionId: string,
    textOf: (payment: PaymentTakenOut) => string,
    pesewas?: number,
  ): Promise<{ text: string; deliveries: Delivery[] }> {
    const paid = this.#paymentOf(transactionId);
    if (!paid?.payment || paid.recipient === null) throw new Refusal(404, 'No payment with this id was made here');
    const { sender, simNumber, recipient, payment } = paid;
    const amountPesewas = pesewas ?? payment.amountPesewas;
    const balancePesewas = this.balanceOf(recipient) - amountPesewas;
    const message = textOf({ ...payment, amountPesewas, balancePesewas });
    const sms = { sender, message, simNumber, recipient, balancePesewas };
    return { text: message, deliveries: await this.#arrive(this.#deviceOrFirst(paid.deviceId), 1, sms) };
  }

  async stop(): Promise<void> {
    for (const device of this.devices) device.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#outbox.stop();
    this.#memoryFile.flush();
  }

  #moved(message: Message): void {
    this.#options.moved?.(message);
    if (message.state === 'Sent') {
      this.#sent.push(message);
      for (const number of message.phoneNumbers) this.#arriveHere(message, number);
    }
    this.#memoryFile.changed();
    const device = this.#findDevice(message.deviceId);
    const event = eventOf[message.state];
    if (device === undefined || event === undefined) return;

    const parts = countParts(message.text);
    // Delivery is reported per part, other events once per message.
    const reports = message.state === 'Delivered' ? parts : 1;
    for (const recipient of message.phoneNumbers) {
      for (let report = 0; report < reports; report += 1) {
        const payload = {
          messageId: message.id,
          sender: message.from,
          recipient,
          simNumber: message.simNumber,
          ...(message.state === 'Sent' && { partsCount: parts, sentAt: timeOnPhone() }),
          ...(message.state === 'Delivered' && { deliveredAt: timeOnPhone() }),
          ...(message.state === 'Failed' && { failedAt: timeOnPhone(), reason: message.failure }),
          ...(message.state === 'Cancelled' && { cancelledAt: timeOnPhone() }),
        };
        void this.#emit(event, device, payload);
      }
    }
  }

  /** Makes the phones resend unprocessed SMS from a period. Ignores an unknown device, as the real server does. */
  refresh({ since, until, deviceId, messageTypes, triggerWebhooks }: RefreshRequest): void {
    if (messageTypes && !messageTypes.includes('SMS')) return;
    const isIn = ({ receivedAt }: Received) =>
      Date.parse(receivedAt) >= Date.parse(since) && Date.parse(receivedAt) <= Date.parse(until);
    const unheard = this.received.filter((sms) => !sms.isPosted && isIn(sms));
    for (const sms of unheard.filter((one) => deviceId == null || one.deviceId === deviceId)) {
      sms.isPosted = true;
      if (triggerWebhooks !== false) void Promise.all(this.#post(sms));
    }
    this.#memoryFile.changed();
  }

  /** Queues an event for each matching webhook. Each promise resolves after the first attempt. */
  #emit(event: string, { settings }: Device, payload: object): Promise<Delivery>[] {
    const wanting = this.webhooks.filter((webhook) => {
      return webhook.event === event && (webhook.deviceId === null || webhook.deviceId === settings.id);
    });
    return wanting.map(({ id: webhookId, url }) => {
      const body = JSON.stringify({ deviceId: settings.id, event, id: newId(), webhookId, payload });
      const delivery = this.#outbox.add({ deviceId: settings.id, url, body, tries: 0, dueAtEpochMs: Date.now() });
      this.#memoryFile.changed();
      return delivery;
    });
  }

  /**
   * Stores an SMS and posts it `times` times, unless the app misses it. A real app can post the same SMS repeatedly.
   */
  async #arrive(
    device: Device,
    times: number,
    sms: Omit<Received, 'deviceId' | 'receivedAt' | 'isPosted'>,
  ): Promise<Delivery[]> {
    const place = {
      deviceId: device.settings.id,
      receivedAt: new Date().toISOString(),
      isPosted: device.hears && times > 0,
    };
    const received = { ...place, ...sms };
    this.received.push(received);
    this.#memoryFile.changed();
    if (!received.isPosted) return [];
    return Promise.all(Array.from({ length: times }, () => this.#post(received)).flat());
  }

  #post({ deviceId, message, sender, recipient, simNumber, receivedAt }: Received): Promise<Delivery>[] {
    const device = this.#deviceOrFirst(deviceId);
    return this.#emit('sms:received', device, {
      // Derived from the content as in the app, so identical texts share an id.
      messageId: createHash('sha256').update(message).digest('hex').slice(0, 8),
      message,
      ...(device.isOld ? { phoneNumber: sender } : { sender, recipient }),
      simNumber,
      receivedAt: timeOnPhone(new Date(receivedAt)),
    });
  }

  #arriveHere({ from, text }: Message, number: string): void {
    for (const { device, sim } of this.#simsWith(number)) {
      const sms = { sender: from, message: text, simNumber: sim.simNumber, recipient: number };
      void this.#arrive(device, 1, sms);
    }
  }

  #later(happens: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void happens();
    }, this.#options.lateMs);
    this.#timers.add(timer);
  }

  async #paidSim(request: PayRequest): Promise<{ device: Device; sim: Sim }> {
    const { simNumber, network, reference, device_id } = request;
    if (simNumber == null && network == null && reference !== '') {
      const charge = chargeOfReference(await this.openCharges(), reference);
      const [paid] = charge ? this.#simsWith(charge.momoNumber) : [];
      if (paid) return paid;
      if (charge) throw new Refusal(400, `The charge is paid to ${charge.momoNumber}, whose SIM is not in this phone`);
    }
    const device = this.#deviceOrFirst(device_id);
    const ofNetwork = device.settings.sims.find((sim) => knownNetwork(sim.network) === network);
    const sim = simNumber == null && network != null ? ofNetwork : device.sim(simNumber);
    if (sim === undefined) throw new Refusal(400, `The device has no SIM ${simNumber ?? `of ${network}`}`);
    return { device, sim };
  }

  #simsWith(number: string): { device: Device; sim: Sim }[] {
    return this.devices.flatMap((device) => {
      const sim = device.settings.sims.find((other) => other.number === number);
      return sim ? [{ device, sim }] : [];
    });
  }

  /** Returns the balance of a SIM's wallet, in pesewas, as its owner would read it in the network's menu. */
  balanceOf(number: string): number {
    const last = this.received.findLast((sms) => sms.recipient === number && sms.balancePesewas !== undefined);
    return last?.balancePesewas ?? OPENING_BALANCE_PESEWAS;
  }

  #deviceOrFirst(id: string | undefined): Device {
    const device = id === undefined ? this.devices[0] : this.#findDevice(id);
    if (device === undefined) throw new Refusal(404, 'There is no such device');
    return device;
  }

  #devicesOf(id: string | undefined): Device[] {
    return id === undefined ? this.devices : [this.#deviceOrFirst(id)];
  }

  #findDevice(id: string): Device | undefined {
    return this.devices.find(({ settings }) => settings.id === id);
  }

  #anyDevice(): Device | undefined {
    return this.devices.length === 0 ? undefined : this.devices[randomInt(this.devices.length)];
  }
}

const eventOf: Partial<Record<State, string>> = {
  Sent: 'sms:sent',
  Delivered: 'sms:delivered',
  Failed: 'sms:failed',
  Cancelled: 'sms:cancelled',
};

function writerOf(network: Network | undefined, name: string | undefined = network): ReceiptWriter {
  const writer = network && receiptWriters.get(network);
  if (writer) return writer;
  throw new Refusal(400, `The wording of ${name} receipts is not known. Write one by hand and post it to /receive.`);
}

function keyOf({ deviceId, id }: Message): string {
  return JSON.stringify([deviceId, id]);
}

function sentAt(message: Message): string {
  return message.states.Sent ?? '';
}

function readValidUntil({ ttl, validUntil }: SendRequest): number | undefined {
  if (ttl != null) return Date.now() + ttl * 1000;
  return validUntil == null ? undefined : Date.parse(validUntil);
}

/** Formats a time as the app does, with the phone's UTC offset. Ghana's offset is zero. */
function timeOnPhone(time = new Date()): string {
  return time.toISOString().replace('Z', '+00:00');
}

function newId(): string {
  return randomBytes(16).toString('base64url').slice(0, 21);
}
