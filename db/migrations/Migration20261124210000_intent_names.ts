import { Migration } from '@mikro-orm/migrations';

/** Intents that wait for their decision say what they want in the words of an order. */
export class Migration20261124210000_intent_names extends Migration {
  override name = 'Migration20261124210000_intent_names';

  override up(): void {
    this.addSql(`update intent_request set intent = intent - '{kind,price,slippageCap,reducing}'::text[]
      || jsonb_build_object('origin', intent->'kind', 'limitPrice', intent->'price', 'slippage', intent->'slippageCap')
      where intent ? 'kind'`);
  }
}
