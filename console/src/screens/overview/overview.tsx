// How a tenant is doing, what is still to be set up, and the code to begin with.
import { Page } from '../../parts/page.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { translate } from '../../texts/translate.ts'
import { CheckList } from './check-list.tsx'
import { FirstCode } from './first-code.tsx'
import { MessageChart, Numbers, UserCharts, WebhookChart } from './numbers.tsx'

export function Overview() {
  const { name, slug, environment } = useTenant()
  const maySeeUsers = useMay('users:read').isAllowed
  const maySeeConfig = useMay('config:read').isAllowed
  const maySetUp = useMay('config:write').isAllowed
  return (
    <Page title={name} about={`${slug}, ${translate(environment)}`}>
      {maySetUp ? <CheckList /> : null}
      {maySeeUsers ? <Numbers /> : null}
      <div className="columns">
        {maySeeUsers ? <UserCharts /> : null}
        {maySeeConfig ? <MessageChart /> : null}
        {maySeeConfig ? <WebhookChart /> : null}
      </div>
      {maySeeConfig ? <FirstCode /> : null}
      {maySeeUsers || maySeeConfig ? null : <p className="quiet">Choose what you work on in the menu.</p>}
    </Page>
  )
}
