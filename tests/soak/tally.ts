/** What was asked and answered, over all accounts. */
export class Tally {
  readonly #statuses = new Map<string, number>();
  readonly wrong: string[] = [];
  requests = 0;
  events = 0;

  /** One answer; what is none of `fine`, and no 503 that says when to come again, is wrong. */
  answered(
    what: string,
    { status, text, fine }: { status: number; text: string; fine: readonly number[] },
  ): void {
    this.requests += 1;
    const line = `${what} ${status}`;
    if (!fine.includes(status)) {
      this.#statuses.set(line, (this.#statuses.get(line) ?? 0) + 1);
      this.fail(`${line}: ${text.slice(0, 300)}`);
    }
  }

  fail(line: string): void {
    this.wrong.push(`${new Date().toISOString()} ${line}`);
  }

  /** How often each refusal came that should not have. */
  refusals(): Record<string, number> {
    return Object.fromEntries(this.#statuses);
  }
}
