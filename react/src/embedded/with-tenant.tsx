// The tenant that a form is for, fetched before the form is shown.
import type { PublicTenant } from '@bailiwick/contract'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useSnapshot } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import type { FormLook } from './form-look.ts'
import { Card, Choice } from './form.tsx'
import { noProblems } from './problems.ts'

interface WithTenantProps {
  readonly look: FormLook
  readonly title: string
  readonly children: (tenant: PublicTenant) => ReactNode
}

export function WithTenant({ children, look, title }: WithTenantProps) {
  const { store } = useBailiwick()
  const tenant = useSnapshot((snapshot) => snapshot.tenant)
  const [hasFailed, setHasFailed] = useState(false)
  const load = useCallback(() => {
    setHasFailed(false)
    store.loadTenant().catch(() => setHasFailed(true))
  }, [store])
  useEffect(load, [load])
  if (tenant !== undefined) return children(tenant)
  const { texts } = look
  return (
    <Card look={look} title={title} problems={hasFailed ? { form: texts.unavailable, fields: {} } : noProblems}>
      {hasFailed ? (
        <Choice look={look} onClick={load}>
          {texts.tryAgain}
        </Choice>
      ) : (
        <p className="bw-hint">{texts.loading}</p>
      )}
    </Card>
  )
}
