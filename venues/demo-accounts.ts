/** Members of the simulated venues, with credentials in the venues' own formats, and money without value. */

import type { DemoAccount } from './access.ts';
import type { Venue } from './catalogue.ts';
import { VENUES } from './catalogue.ts';
import { ACCESS } from './trading-access.ts';

export type { DemoAccount } from './access.ts';

/** The fields that connect a member: the body of `POST /api/venue-connections`, except the password. */
export type DemoConnection = {
  readonly venue: Venue;
  readonly environment: 'demo';
  readonly label: string;
  readonly credentials: DemoAccount['credentials'];
};

/** A new member. */
export const createDemoAccount = (venue: Venue): DemoAccount => ACCESS[venue].newDemoAccount();

export const demoConnectionOf = (venue: Venue, { credentials }: DemoAccount): DemoConnection => ({
  venue,
  environment: 'demo',
  label: `Simulated ${VENUES[venue].title}`,
  credentials,
});

/** Registers a member at the demo of a simulated venue; a registered member keeps its balances. */
export async function registerDemoAccount(
  simulatorUrl: string,
  venue: Venue,
  { account, key }: DemoAccount,
): Promise<void> {
  const post = (what: string, payload: object) =>
    fetch(`${simulatorUrl}/simulator/trading/${what}`, {
      method: 'POST',
      body: JSON.stringify({ venue: ACCESS[venue].simulatorName, ...payload }),
      signal: AbortSignal.timeout(REGISTER_TIMEOUT_MS),
    });
  // Refused if the account exists already; then the key decides.
  await post('accounts', { ...account, environment: 'demo' });
  const answer = await post('keys', { account: account.id, ...key });
  if (!answer.ok) throw new Error(`The simulated ${venue} did not accept a member: ${await answer.text()}`);
}

const REGISTER_TIMEOUT_MS = 5_000;
