/** What the caller is told when a request cannot be taken: SMSGate answers `{ message }` with this status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
