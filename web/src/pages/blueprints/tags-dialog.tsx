import { useId, useState } from 'react';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { tagChange, tagsIn, typedTags } from '../../format/tags.ts';
import { t } from '../../language/language.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

/** Room for ten tags of the maximum length in code points with commas between, and more: the service counts them. */
const TYPED_MAX = 400;

type TagsDialogProps = {
  blueprints: readonly { id: string; name: string; tags: readonly string[] }[];
  onClose: () => void;
};

/** Adds tags to blueprints and removes others, for all of them at once. */
export function TagsDialog({ blueprints: selection, onClose }: TagsDialogProps) {
  // The selection at opening.
  const [blueprints] = useState(selection);
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const id = useId();
  const [first] = blueprints;
  const title =
    first && blueprints.length === 1
      ? t('Tags of “{name}”', { name: first.name })
      : t('Tags of {count, plural, one {# strategy} other {# strategies}}', { count: blueprints.length });
  return (
    <FormDialog
      title={title}
      action={t('Save tags')}
      outdated={trpc.console.blueprints.pathFilter()}
      send={async (form) => {
        const typed = typedTags(String(new FormData(form).get('tags') ?? ''));
        const change = tagChange(wanted, typed);
        if (change.add.length + change.remove.length === 0) return;
        await client.console.tagBlueprints.mutate({ ids: blueprints.map((each) => each.id), ...change });
        invalidate(trpc.blueprints.tags.pathFilter());
      }}
      onSent={() => {}}
      onClose={onClose}
    >
      <ul className="plain-list">
        {tagsIn(blueprints).map(({ tag, isOnAll }) => (
          <li key={tag}>
            <label className="row tight">
              <input
                type="checkbox"
                checked={wanted.get(tag) ?? isOnAll}
                ref={(box) => {
                  if (box) box.indeterminate = !isOnAll && !wanted.has(tag);
                }}
                onChange={(event) => setWanted(new Map(wanted).set(tag, event.currentTarget.checked))}
              />
              {tag}
              {isOnAll || wanted.has(tag) ? null : <span className="dim small">{t('on some of them')}</span>}
            </label>
          </li>
        ))}
      </ul>
      <TextField
        id={id}
        name="tags"
        label={t('New tags')}
        autoComplete="off"
        maxLength={TYPED_MAX}
        hint={t('With commas between, such as momentum, BTC. Ten at most on a strategy, 32 characters each.')}
      />
    </FormDialog>
  );
}
