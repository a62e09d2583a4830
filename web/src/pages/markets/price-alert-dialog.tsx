import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { client, queryClient, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { NAME_MAX } from '../blueprints/create.ts';
import { priceAlertGraph } from './price-alert-graph.ts';

export type PriceAlertProps = { tokenId: string; name: string; price: number | null; onClose: () => void };

/** Asks for a level. The alert is a strategy that only watches: it outlives restarts, and is stopped and deleted as one. */
export function PriceAlertDialog({ tokenId, name, price, onClose }: PriceAlertProps) {
  const id = useId();
  return (
    <FormDialog
      title={t('Price alert for {name}', { name })}
      action={t('Set alert')}
      outdated={trpc.console.blueprints.pathFilter()}
      send={async (form) => {
        const entered = new FormData(form);
        const op = entered.get('op') === 'lte' ? 'lte' : 'gte';
        const level = Number(entered.get('level'));
        const values = { name, level };
        const words =
          op === 'gte' ? t('{name} at or above {level}', values) : t('{name} at or below {level}', values);
        await deployed(words, priceAlertGraph({ tokenId, op, level, text: words }));
      }}
      onSent={() =>
        notifications.show({ message: t('The alert is set; it is listed among your strategies.') })
      }
      onClose={onClose}
    >
      <Labelled id={`${id}-op`} label={t('When the price is')}>
        <select id={`${id}-op`} name="op" className="text-input">
          <option value="gte">{t('at or above')}</option>
          <option value="lte">{t('at or below')}</option>
        </select>
      </Labelled>
      <TextField
        id={`${id}-level`}
        name="level"
        label={t('Price in USD')}
        type="number"
        min={0}
        step="any"
        defaultValue={price ?? undefined}
        required
      />
      <p className="plain dim">
        {t('You are notified once, in Activity and on your channels. Nothing trades.')}
      </p>
    </FormDialog>
  );
}

/** Nothing is left behind by an alert that is refused. */
async function deployed(words: string, visual: unknown): Promise<void> {
  const name = t('Alert: {words}', { words }).slice(0, NAME_MAX);
  const { id } = await client.blueprints.create.mutate({ name, visual });
  try {
    const { version } = await client.console.blueprint.query({ id });
    await client.console.deployUntried.mutate({ id, version });
  } catch (error) {
    await client.blueprints.delete.mutate({ id }).catch(() => {});
    throw error;
  }
  void queryClient.invalidateQueries(trpc.console.blueprint.queryFilter({ id }));
}
