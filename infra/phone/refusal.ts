/** The answer when a request is refused: SMSGate answers `{ message }` with this status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
