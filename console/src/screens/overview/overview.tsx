// How a tenant is doing, what is still to be set up, and the code to begin with.
import { Page } from '../../parts/page.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { CheckList } from './check-list.tsx'
import { FirstCode } from './first-code.tsx'
import { MessageChart, Numbers, UserCharts, WebhookChart } from './numbers.tsx'

const firstDaysMs = 7 * 24 * 60 * 60 * 1000

export function Overview() {
  const { name, slug, environment, createdAt } = useTenant()
  const maySeeUsers = useMay('users:read').isAllowed
  const maySeeConfig = useMay('config:read').isAllowed
  // The charts of a new tenant are empty: what is to be set up comes before them.
  const isNew = Date.now() - Date.parse(createdAt) < firstDaysMs
  const checkList = maySeeConfig ? <CheckList /> : null
  return (
    <Page title={name} about={`${slug}, ${environment}`}>
      {maySeeUsers ? <Numbers /> : null}
      {isNew ? checkList : null}
      <div className="columns">
        {maySeeUsers ? <UserCharts /> : null}
        {maySeeConfig ? <MessageChart /> : null}
        {maySeeConfig ? <WebhookChart /> : null}
      </div>
      {isNew ? null : checkList}
      {maySeeConfig ? <FirstCode /> : null}
      {maySeeUsers || maySeeConfig ? null : <p className="quiet">Choose what you work on in the menu.</p>}
    </Page>
  )
}
