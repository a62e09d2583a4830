import { Button } from '@mantine/core';
import { useContext } from 'react';
import { t } from '../../language/language.ts';
import { groupSelected } from '../canvas/group-actions.ts';
import { CatalogueContext } from '../context.ts';
import { isDisabled } from '../drawing/disabled-nodes.ts';
import { groupsOf, selectedGroup } from '../drawing/groups.ts';
import { moduleOf } from '../drawing/modules/types.ts';
import { dissolve, makeModule } from '../modules/module-actions.ts';
import { duplicateSelected, remove, switchSteps, useEditor } from '../store.ts';

/** The actions on the selected steps, one or more. */
export function SelectionActions({ ids }: { ids: readonly string[] }) {
  const catalogue = useContext(CatalogueContext);
  const { notes } = catalogue;
  const nodes = useEditor((editor) => editor.nodes);
  const rest = useEditor((editor) => editor.rest);
  const steps = nodes.filter(({ id, type }) => ids.includes(id) && !notes.has(type));
  const isGroup = selectedGroup(groupsOf({ nodes, rest }), ids) !== undefined;
  const [only, ...others] = steps;
  const used = only && others.length === 0 && moduleOf(only.type) !== null ? only.id : null;
  return (
    <div className="row">
      {steps.length > 0 ? (
        <Button
          variant="default"
          title={t('They and what depends on them have no value and do nothing. Key: O')}
          onClick={() => switchSteps(steps.map(({ id }) => id))}
        >
          {steps.every(isDisabled) ? t('Switch on') : t('Switch off')}
        </Button>
      ) : null}
      {ids.length > 1 && !isGroup ? (
        <Button variant="default" title={t('Key: {key}', { key: 'Ctrl G' })} onClick={groupSelected}>
          {t('Group')}
        </Button>
      ) : null}
      {used === null ? (
        <Button
          variant="default"
          title={t('One node that you can use again, with a port for each wire that crosses its border.')}
          onClick={() => makeModule(ids, catalogue)}
        >
          {t('Make a module')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => dissolve(used)}>
          {t('Dissolve')}
        </Button>
      )}
      <Button variant="default" onClick={duplicateSelected}>
        {t('Duplicate')}
      </Button>
      <Button variant="default" onClick={() => remove(new Set(ids))}>
        {t('Delete')}
      </Button>
    </div>
  );
}
