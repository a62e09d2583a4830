import type { ConnectionRow } from '../../../../engine/trading/connections/row.ts';
import {
  type Claim,
  type ClaimStores,
  claimVenueAccount,
} from '../../../../engine/trading/connections/venue-account-claims.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';

export const DIRECTORY = 'directory of venue accounts';
/** A claim may be missing: of a connection from before the directory, or in a database that was restored. */
const CLAIM_EVERY_MS = 3_600_000;
const CLAIM_AGAIN_MS = 30_000;

/** The claims of one connection in the directory of venue accounts. */
export class DirectoryClaims {
  readonly #options: ClaimStores & { readonly failures: LogOnce };
  #isClaimed = false;

  constructor(options: ClaimStores & { readonly failures: LogOnce }) {
    this.#options = options;
  }

  /** Interval until the connection that trades claims its venue account again. */
  get everyMs(): number {
    return this.#isClaimed ? CLAIM_EVERY_MS : CLAIM_AGAIN_MS;
  }

  /** False: another connection has the venue account. Null: the directory cannot be used now. */
  async claim(row: ConnectionRow, fingerprint: string): Promise<boolean | null> {
    const claim = await this.#claim(row, fingerprint);
    return claim && claim.connectionId === row.id;
  }

  /**
   * Claims what the connection trades already. Trading does not depend on it.
   *
   * @throws Error if another connection has the same venue account
   */
  async claimAgain(row: ConnectionRow, fingerprint: string): Promise<void> {
    const claim = await this.#claim(row, fingerprint);
    if (claim === null) return;
    if (claim.connectionId !== row.id)
      throw new Error(
        `Connection ${claim.connectionId} of account ${claim.ownerId} has the same venue account: remove one of the two.`,
      );
    this.#isClaimed = true;
  }

  async #claim(row: ConnectionRow, fingerprint: string): Promise<Claim | null> {
    const { failures } = this.#options;
    try {
      const claim = await claimVenueAccount(this.#options, row, fingerprint);
      failures.recovered(DIRECTORY);
      return claim;
    } catch (error) {
      failures.failed(DIRECTORY, error);
      return null;
    }
  }
}
