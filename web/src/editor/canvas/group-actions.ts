import { notifications } from '@mantine/notifications';
import { t } from '../../language/language.ts';
import { GROUPS_MAX, type Group, groupsOf, selectedGroup } from '../drawing/groups.ts';
import { isFoldedIn } from '../drawing/visible-graph.ts';
import { foldGroup, groupSteps, ungroup, useEditor } from '../store.ts';

/** Groups the selected steps, if there are two or more. A selection that is already a group stays as it is. */
export function groupSelected(): void {
  const { nodes, rest, selected } = useEditor.getState();
  if (selectedGroup(groupsOf({ nodes, rest }), selected)) return;
  if (selected.length < 2) {
    notifications.show({ message: t('Select two nodes or more to make a group of them.') });
    return;
  }
  if (!groupSteps(selected))
    notifications.show({
      color: 'yellow',
      message: t('A strategy has at most {max} groups.', { max: GROUPS_MAX }),
    });
}

/** Removes the selected group; its steps stay. */
export function ungroupSelected(): void {
  const group = groupAt();
  if (group) ungroup(group.id);
}

/** Folds or unfolds the selected group, or the group of the first selected step. */
export function toggleFoldSelected(): void {
  const group = groupAt();
  if (group) foldGroup(group.id, !isFoldedIn(useEditor.getState().folds)(group));
}

function groupAt(): Group | undefined {
  const { nodes, rest, selected } = useEditor.getState();
  const groups = groupsOf({ nodes, rest });
  return selectedGroup(groups, selected) ?? groups.find(({ members }) => members.includes(selected[0] ?? ''));
}
