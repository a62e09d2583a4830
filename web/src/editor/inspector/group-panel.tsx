import { Button } from '@mantine/core';
import { msg, t } from '../../language/language.ts';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { focusCanvas } from '../canvas/canvas-keys.ts';
import { stepsWords } from '../canvas/group-card.tsx';
import { GROUP_COLORS, GROUP_NAME_MAX, type Group, type GroupColor } from '../drawing/groups.ts';
import { isFoldedIn } from '../drawing/visible-graph.ts';
import { changeGroup, foldGroup, ungroup, useEditor } from '../store.ts';

const COLORS: Readonly<Record<GroupColor, ReturnType<typeof msg>>> = {
  grey: msg('Grey'),
  blue: msg('Blue'),
  green: msg('Green'),
  amber: msg('Amber'),
  red: msg('Red'),
  violet: msg('Violet'),
};

/** The name and colour of a group, and its actions. */
export function GroupPanel({ group, readOnly }: { group: Group; readOnly: boolean }) {
  const { id, name, color } = group;
  const isFolded = useEditor(({ folds }) => isFoldedIn(folds)(group));
  return (
    <section className="stack tight" aria-label={t('Group')}>
      <p className="plain dim">
        {t('{steps} in a group. Groups are for the eye: what runs is the same without them.', {
          steps: stepsWords(group),
        })}
      </p>
      <TextField
        id="group-name"
        label={t('Name of the group')}
        disabled={readOnly}
        maxLength={GROUP_NAME_MAX}
        value={name}
        onChange={(event) => changeGroup(id, { name: event.currentTarget.value })}
      />
      <Labelled id="group-color" label={t('Color')}>
        <select
          id="group-color"
          className="text-input"
          disabled={readOnly}
          value={color}
          onChange={({ currentTarget: { value } }) => {
            const next = GROUP_COLORS.find((each) => each === value);
            if (next) changeGroup(id, { color: next });
          }}
        >
          {GROUP_COLORS.map((each) => (
            <option key={each} value={each}>
              {t(COLORS[each])}
            </option>
          ))}
        </select>
      </Labelled>
      <div className="row">
        <Button
          variant="default"
          title={t('Key: {key}', { key: 'F' })}
          onClick={() => foldGroup(id, !isFolded)}
        >
          {isFolded ? t('Unfold') : t('Fold')}
        </Button>
        {readOnly ? null : (
          <Button
            variant="default"
            onClick={() => {
              ungroup(id);
              focusCanvas();
            }}
          >
            {t('Ungroup')}
          </Button>
        )}
      </div>
    </section>
  );
}
