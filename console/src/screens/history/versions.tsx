// The versions of a document of the tenant (sign-in rules, brand, pages, claims): who changed what, the differences from the current state, and a
// way to restore them.
import type { SettingsDifference, SettingsVersion } from '@bailiwick/contract'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import type { InputOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Loading, Problem } from '../../parts/states.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Actor } from '../../values/actor.tsx'
import { Time } from '../../values/time.tsx'
import { Differences } from './differences.tsx'
import type { VersionedDocument } from './versioned-document.ts'

function VersionDifferences({
  of,
  from,
  to,
  empty,
}: {
  readonly of: VersionedDocument
  readonly from: number
  readonly to: number
  readonly empty: string
}) {
  const { id } = useTenant()
  const input = { params: { id, from: String(from), to: String(to) } } as InputOf<'diffAuthVersions'>
  const { data, error, refetch } = useOperation(of.diff, input)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading lines={2} />
  const found: readonly SettingsDifference[] = data
  return found.length === 0 ? <p className="quiet">{empty}</p> : <Differences of={found} nameOf={of.nameOf} />
}

function Version({
  of,
  version,
  present,
}: {
  readonly of: VersionedDocument
  readonly version: SettingsVersion
  readonly present: number
}) {
  const { id } = useTenant()
  const [isOpen, setOpen] = useState(false)
  const [isAgainstNow, setAgainstNow] = useState(false)
  const number = version.version
  const isPresent = number === present
  return (
    <details className="version" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="version-name">Version {number}</span>
        {isPresent ? <span className="badge good">in use</span> : null}
        <span className="quiet">
          <Time at={version.createdAt} /> by <Actor of={version.actor} name={version.actorName} />
        </span>
      </summary>
      {isOpen ? (
        <div className="version-body">
          {isPresent ? null : (
            <div role="group" aria-label="Compare" className="segments">
              <button type="button" aria-pressed={!isAgainstNow} onClick={() => setAgainstNow(false)}>
                What it changed
              </button>
              <button type="button" aria-pressed={isAgainstNow} onClick={() => setAgainstNow(true)}>
                What going back would change
              </button>
            </div>
          )}
          {isAgainstNow ? (
            <VersionDifferences of={of} from={present} to={number} empty="Nothing: it is the same as what is in use." />
          ) : number <= of.first ? (
            <p className="quiet">This is how the tenant began.</p>
          ) : (
            <VersionDifferences of={of} from={number - 1} to={number} empty="Nothing that is still a setting." />
          )}
          {isPresent ? null : (
            <div>
              <ConfirmAction
                operation={of.restore}
                input={{ params: { id, version: String(number) } }}
                label={`Go back to version ${number}`}
                isDangerous={false}
              >
                It becomes a new version, so that this can be undone, too.
              </ConfirmAction>
            </div>
          )}
        </div>
      ) : null}
    </details>
  )
}

export function Versions({ of }: { readonly of: VersionedDocument }) {
  const { id } = useTenant()
  const [cursor, setCursor] = useState<string>()
  const input = { params: { id }, query: { perPage: '10', ...(cursor === undefined ? {} : { cursor }) } }
  const { data, error, refetch } = useOperation(of.list, input, { keepsLast: true })
  return (
    <Section title="History" about="Every change is kept. Open one to see what it changed, and to go back to it.">
      {error === null ? null : <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : data.data.length === 0 ? (
        <p className="quiet">Nothing has been changed yet.</p>
      ) : (
        <>
          <div className="versions">
            {data.data.map((version) => (
              <Version key={version.version} of={of} version={version} present={data.meta.total} />
            ))}
          </div>
          {data.meta.prev === null && data.meta.next === null ? null : (
            <nav className="paging" aria-label="Pages of versions">
              <span className="quiet">{data.meta.total} versions</span>
              <span className="actions">
                <button
                  type="button"
                  className="button small"
                  disabled={data.meta.prev === null}
                  onClick={() => setCursor(data.meta.prev ?? undefined)}
                >
                  Newer
                </button>
                <button
                  type="button"
                  className="button small"
                  disabled={data.meta.next === null}
                  onClick={() => setCursor(data.meta.next ?? undefined)}
                >
                  Older
                </button>
              </span>
            </nav>
          )}
        </>
      )}
    </Section>
  )
}
