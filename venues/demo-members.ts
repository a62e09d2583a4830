/** Members of the simulated venues, with credentials in the venues' own formats, and money without value. */
import type { Venue } from '../db/vocabulary.ts';
import type { DemoMember } from './access.ts';
import { VENUES } from './catalogue.ts';
import { ACCESS } from './trading-access.ts';

export type { DemoMember } from './access.ts';

/** The fields that connect a member: the body of `POST /api/venue-connections`, except the password. */
export type DemoConnection = {
  readonly venue: Venue;
  readonly environment: 'demo';
  readonly label: string;
  readonly credentials: DemoMember['credentials'];
};

/** A new member. */
export const newDemoMember = (venue: Venue): DemoMember => ACCESS[venue].newMember();

export const demoConnectionOf = (venue: Venue, { credentials }: DemoMember): DemoConnection => ({
  venue,
  environment: 'demo',
  label: `Simulated ${VENUES[venue].title}`,
  credentials,
});

/** Registers a member at the demo of a simulated venue; a registered member keeps its balances. */
export async function admitDemoMember(
  simulatorUrl: string,
  venue: Venue,
  { account, key }: DemoMember,
): Promise<void> {
  const tell = (what: string, told: object) =>
    fetch(`${simulatorUrl}/simulator/trading/${what}`, {
      method: 'POST',
      body: JSON.stringify({ venue: ACCESS[venue].desk, ...told }),
      signal: AbortSignal.timeout(TELL_MS),
    });
  // Refused if the account exists already; then the key decides.
  await tell('accounts', { ...account, environment: 'demo' });
  const answer = await tell('keys', { account: account.id, ...key });
  if (!answer.ok) throw new Error(`The simulated ${venue} did not accept a member: ${await answer.text()}`);
}

const TELL_MS = 5_000;
