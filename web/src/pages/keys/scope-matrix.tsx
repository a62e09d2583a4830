import { t } from '../../language/language.ts';
import { DANGEROUS_SCOPES, SCOPE_MATRIX, SCOPE_PRESETS, type Scope } from './scopes.ts';

type MatrixProps = { scopes: readonly Scope[]; onChange: (scopes: readonly Scope[]) => void };

const COLUMNS = ['read', 'write', 'deploy'] as const;

/** No scope is granted until it is ticked. */
export function ScopeMatrix({ scopes, onChange }: MatrixProps) {
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  const dangerous = scopes.filter((scope) => DANGEROUS_SCOPES.has(scope));
  return (
    <fieldset className="choices">
      <legend className="small">{t('Permissions')}</legend>
      <div className="row tight">
        {SCOPE_PRESETS.map((preset) => (
          <button key={t(preset.name)} type="button" className="chip" onClick={() => onChange(preset.scopes)}>
            {t(preset.name)}
          </button>
        ))}
      </div>
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Resource')}</th>
            {COLUMNS.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SCOPE_MATRIX.map((row) => (
            <tr key={t(row.thing)}>
              <td>
                {t(row.thing)}
                <div className="dim small">{t(row.help)}</div>
              </td>
              {COLUMNS.map((column) => {
                const scope = row[column];
                return (
                  <td key={column}>
                    {scope ? (
                      <input
                        type="checkbox"
                        className="tick"
                        aria-label={scope}
                        checked={scopes.includes(scope)}
                        onChange={() => toggle(scope)}
                      />
                    ) : null}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {dangerous.length > 0 ? (
        <span className="small warn">
          {t('Can move money or its limits: {dangerous}.', { dangerous: dangerous.join(', ') })}
        </span>
      ) : null}
    </fieldset>
  );
}
