// Signing in within the page: first the identifier, then the proof.
import type { PublicTenant } from '@bailiwick/contract'
import { useBailiwick } from '../provider.tsx'
import { readInvitationToken } from '../return-address.ts'
import { filled } from '../texts/catalogue.ts'
import { FirstFactor } from './first-factor.tsx'
import { type FormLook, useFormLook } from './form-look.ts'
import { Card, Choice, Elsewhere, Field, Form } from './form.tsx'
import { Invited } from './invited.tsx'
import { hasPasskeys } from './passkey.ts'
import { type EmbeddedFormProps, useArrival } from './props.ts'
import { Providers } from './providers.tsx'
import { Offer, SecondFactor } from './second-factor.tsx'
import { type SignInFlow, useSignIn } from './steps/use-sign-in.ts'
import { canSignIn, canSignUp, findIdentifiers, offersPasskeys } from './tenant.ts'
import { WithTenant } from './with-tenant.tsx'

export interface StepProps {
  readonly look: FormLook
  readonly flow: SignInFlow
  readonly tenant: PublicTenant
  readonly redirectTo: string | undefined
  readonly onSwitch: () => void
  readonly isNext: boolean
}

function Start({ flow, isNext, look, onSwitch, redirectTo, tenant }: StepProps) {
  const { classes, texts } = look
  const { work } = flow
  const kinds = findIdentifiers(tenant)
  const isEmailAlone = kinds.length === 1 && kinds[0] === 'email'
  return (
    <Card
      look={look}
      title={texts.signIn}
      lead={filled(texts.signInLead, { tenant: tenant.name })}
      problems={canSignIn(tenant) ? work.problems : { form: texts.closed, fields: {} }}
      isNext={isNext}
    >
      <Form
        look={look}
        isBusy={work.isBusy}
        submit={texts.continue}
        onSubmit={({ identifier = '' }) => void flow.begin(identifier)}
      >
        <Field
          look={look}
          name="identifier"
          label={kinds.map((kind) => texts[kind]).join(' / ')}
          problems={work.problems}
          type={isEmailAlone ? 'email' : 'text'}
          autoComplete={hasPasskeys() ? 'username webauthn' : 'username'}
          autoCapitalize="off"
          spellCheck={false}
          maxLength={320}
          dir="ltr"
        />
      </Form>
      <Providers look={look} tenant={tenant} work={work} redirectTo={redirectTo} />
      {offersPasskeys(tenant) && hasPasskeys() && (
        <button
          type="button"
          className={classes('bw-button bw-secondary', 'button')}
          onClick={() => void flow.beginWithPasskey()}
        >
          {texts.withPasskey}
        </button>
      )}
      {canSignUp(tenant) && (
        <p className={classes('bw-hint', 'hint')}>
          {texts.noAccount}{' '}
          <Choice look={look} onClick={onSwitch}>
            {texts.signUp}
          </Choice>
        </p>
      )}
    </Card>
  )
}

function Steps(props: StepProps) {
  const { step } = props.flow
  if (step.at === 'start') return <Start {...props} />
  if (step.at === 'elsewhere') {
    const { look, tenant, redirectTo, flow } = props
    const { work, restart } = flow
    return <Elsewhere look={look} tenant={tenant} redirectTo={redirectTo} work={work} onRestart={restart} />
  }
  if (step.at === 'second') return <SecondFactor {...props} way={step.way} />
  if (step.at === 'offer') return <Offer {...props} />
  if (step.at === 'invited') return <Invited {...props} invitations={step.invitations} />
  return <FirstFactor {...props} step={step} />
}

function Flow({ look, tenant, ...props }: EmbeddedFormProps & Pick<StepProps, 'look' | 'tenant'>) {
  const { pages } = useBailiwick()
  const token = readInvitationToken(location.href) ?? undefined
  // The invitation is accepted by the user who has signed in.
  const next = token === undefined ? props.redirectTo : pages.invitation(token)
  const flow = useSignIn(look.texts, useArrival({ ...props, redirectTo: next }), props.redirectTo)
  const { isNext, onSwitch, redirectTo } = props
  return <Steps {...{ look, flow, tenant, redirectTo, onSwitch, isNext }} />
}

export function SignInForm(props: EmbeddedFormProps) {
  const look = useFormLook(props.appearance)
  return (
    <WithTenant look={look} title={look.texts.signIn}>
      {(tenant) => <Flow {...props} look={look} tenant={tenant} />}
    </WithTenant>
  )
}
