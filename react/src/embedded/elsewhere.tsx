import type { PublicTenant } from '@bailiwick/contract'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import type { FormLook } from './form-look.ts'
import { Card, Choice } from './form.tsx'
import type { Work } from './use-work.ts'

interface ElsewhereProps {
  readonly look: FormLook
  readonly tenant: PublicTenant
  readonly redirectTo: string | undefined
  readonly work: Work
  readonly onRestart: () => void
}

/** Leads to the hosted pages, where the next step is. */
export function Elsewhere({ look, tenant, redirectTo, work, onRestart }: ElsewhereProps) {
  const { pages } = useBailiwick()
  const { classes, texts } = look
  return (
    <Card
      look={look}
      title={texts.signIn}
      lead={filled(texts.elsewhere, { tenant: tenant.name })}
      problems={work.problems}
      isNext
    >
      <a className={classes('bw-button bw-primary', 'primaryButton')} href={pages.signIn(redirectTo)}>
        {texts.continue}
      </a>
      <Choice look={look} onClick={onRestart}>
        {texts.back}
      </Choice>
    </Card>
  )
}
