// The first factor: a password, a code that was sent, a passkey, or the choice between them.
import type { SignInStrategy } from '@bailiwick/contract'
import { useBailiwick } from '../provider.tsx'
import { type TextName, filled } from '../texts/catalogue.ts'
import { Card, Choice, CodeField, Form, PasswordField } from './form.tsx'
import type { StepProps } from './sign-in-form.tsx'
import { type SignInStep, findWays } from './steps/use-sign-in.ts'

type FirstStep = Exclude<SignInStep, { readonly at: 'start' | 'elsewhere' | 'second' | 'offer' | 'invited' }>
type FirstProps<At extends SignInStep['at']> = StepProps & { readonly step: Extract<SignInStep, { readonly at: At }> }

const choices: Readonly<Partial<Record<SignInStrategy, TextName>>> = {
  email_password: 'choosePassword',
  phone_password: 'choosePassword',
  username_password: 'choosePassword',
  email_code: 'chooseEmailCode',
  phone_code: 'choosePhoneCode',
  security_key: 'choosePasskey',
}

/** The identifier, for password managers, which store a password under it, and for users, who see what they have entered. */
const Identifier = ({ flow, look }: StepProps) => (
  <input
    className={look.classes('bw-input bw-quiet', 'input')}
    type="text"
    name="identifier"
    aria-label={look.texts.identifier}
    autoComplete="username"
    dir="ltr"
    readOnly
    value={flow.attempt?.identifier ?? ''}
  />
)

function OtherWays({ flow, look }: StepProps) {
  const hasOthers = flow.attempt !== undefined && findWays(flow.attempt).length > 1
  return (
    <>
      {hasOthers && (
        <Choice look={look} onClick={() => flow.go({ at: 'choose' })}>
          {look.texts.otherWay}
        </Choice>
      )}
      <Choice look={look} onClick={flow.restart}>
        {look.texts.back}
      </Choice>
    </>
  )
}

function Password(props: FirstProps<'password'>) {
  const { pages } = useBailiwick()
  const { flow, look } = props
  const { classes, texts } = look
  const { isBusy, problems } = flow.work
  return (
    <Card look={look} title={texts.signIn} problems={problems} isNext>
      <Form
        look={look}
        isBusy={isBusy}
        submit={texts.signIn}
        onSubmit={({ password = '' }) => void flow.prove({ password })}
      >
        <Identifier {...props} />
        <PasswordField
          look={look}
          name="password"
          label={texts.password}
          problems={problems}
          autoComplete="current-password"
        />
      </Form>
      <a className={classes('bw-link', 'link')} href={pages.resetPassword}>
        {texts.forgotten}
      </a>
      <OtherWays {...props} />
    </Card>
  )
}

function NewPassword(props: FirstProps<'new_password'>) {
  const { flow, look } = props
  const { texts } = look
  const { isBusy, problems } = flow.work
  return (
    <Card look={look} title={texts.newPasswordTitle} lead={texts.newPasswordLead} problems={problems} isNext>
      <Form
        look={look}
        isBusy={isBusy}
        submit={texts.continue}
        onSubmit={({ newPassword = '' }) => void flow.prove({ newPassword })}
      >
        <Identifier {...props} />
        <PasswordField
          look={look}
          name="newPassword"
          label={texts.newPassword}
          problems={problems}
          autoComplete="new-password"
        />
      </Form>
    </Card>
  )
}

function Code(props: FirstProps<'code'>) {
  const { flow, look, step } = props
  const { texts } = look
  const { isBusy, problems } = flow.work
  return (
    <Card
      look={look}
      title={texts.codeTitle}
      lead={filled(texts.codeLead, { address: flow.attempt?.identifier ?? '' })}
      problems={problems}
      notice={step.isSentAgain ? texts.resent : undefined}
      isNext
    >
      <Form look={look} isBusy={isBusy} submit={texts.signIn} onSubmit={({ code = '' }) => void flow.prove({ code })}>
        <CodeField look={look} problems={problems} />
      </Form>
      <Choice look={look} onClick={() => void flow.choose(step.strategy, true)}>
        {texts.resend}
      </Choice>
      <OtherWays {...props} />
    </Card>
  )
}

function Passkey(props: StepProps) {
  const { flow, look } = props
  const { texts } = look
  return (
    <Card look={look} title={texts.withPasskey} problems={flow.work.problems} isNext>
      <Form look={look} isBusy={flow.work.isBusy} submit={texts.continue} onSubmit={() => void flow.provePasskey()} />
      <OtherWays {...props} />
    </Card>
  )
}

function Choose(props: StepProps) {
  const { flow, look } = props
  const { classes, texts } = look
  const ways = flow.attempt === undefined ? [] : findWays(flow.attempt)
  return (
    <Card look={look} title={texts.chooseTitle} problems={flow.work.problems} isNext>
      {ways.map((way) => (
        <button
          key={way}
          type="button"
          className={classes('bw-button bw-secondary', 'button')}
          onClick={() => void flow.choose(way)}
        >
          {texts[choices[way] ?? 'continue']}
        </button>
      ))}
      <Choice look={look} onClick={flow.restart}>
        {texts.back}
      </Choice>
    </Card>
  )
}

function Connections(props: FirstProps<'connections'>) {
  const { flow, look, step } = props
  const { classes, texts } = look
  const hasOthers = flow.attempt !== undefined && findWays(flow.attempt).length > 0
  return (
    <Card look={look} title={texts.signIn} problems={flow.work.problems} isNext>
      <Identifier {...props} />
      {step.connections.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={classes('bw-button bw-primary', 'primaryButton')}
          onClick={() => void flow.leave(id)}
        >
          {filled(texts.withProvider, { provider: name })}
        </button>
      ))}
      {hasOthers && (
        <Choice look={look} onClick={() => flow.go({ at: 'choose' })}>
          {texts.otherWay}
        </Choice>
      )}
      <Choice look={look} onClick={flow.restart}>
        {texts.back}
      </Choice>
    </Card>
  )
}

export function FirstFactor({ step, ...props }: StepProps & { readonly step: FirstStep }) {
  switch (step.at) {
    case 'password':
      return <Password {...props} step={step} />
    case 'code':
      return <Code {...props} step={step} />
    case 'new_password':
      return <NewPassword {...props} step={step} />
    case 'passkey':
      return <Passkey {...props} />
    case 'connections':
      return <Connections {...props} step={step} />
    case 'choose':
      return <Choose {...props} />
  }
}
