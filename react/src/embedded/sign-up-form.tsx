// Signing up within the page: first the fields that the tenant asks for, then the proof that an address belongs to the user.
import type { PublicTenant, SignUpAnswer, SignUpAttempt, SignUpFieldName } from '@bailiwick/contract'
import { useState } from 'react'
import { readInvitationToken } from '../return-address.ts'
import { filled } from '../texts/catalogue.ts'
import { AttributeFields, askedAttributes, toBody } from './attributes.tsx'
import { useFormClient } from './form-client.ts'
import { type FormLook, useFormLook } from './form-look.ts'
import { Card, Choice, CodeField, Elsewhere, Field, Form, PasswordField } from './form.tsx'
import type { Problems } from './problems.ts'
import { type EmbeddedFormProps, useArrival } from './props.ts'
import { Providers } from './providers.tsx'
import { canSignIn, canSignUp } from './tenant.ts'
import { useWork } from './use-work.ts'
import { WithTenant } from './with-tenant.tsx'

interface FlowProps extends EmbeddedFormProps {
  readonly look: FormLook
  readonly tenant: PublicTenant
}

const inputAttributes = {
  email: { type: 'email', autoComplete: 'email', dir: 'ltr' },
  phone: { type: 'tel', autoComplete: 'tel', dir: 'ltr' },
  username: { type: 'text', autoComplete: 'username', autoCapitalize: 'off', spellCheck: false, dir: 'ltr' },
  name: { type: 'text', autoComplete: 'name' },
} as const

const isOfService = (name: string): name is SignUpFieldName => !name.startsWith('attributes/')

interface FieldsProps {
  readonly fields: readonly SignUpFieldName[]
  readonly look: FormLook
  readonly problems: Problems
}

const Fields = ({ fields, ...props }: FieldsProps) =>
  fields.map((name) => {
    const label = props.look.texts[name]
    return name === 'password' ? (
      <PasswordField key={name} {...props} name={name} label={label} autoComplete="new-password" />
    ) : (
      <Field key={name} {...props} {...inputAttributes[name]} name={name} label={label} />
    )
  })

/** The address or number to which the code is sent. */
type Contact = { readonly strategy: 'email_code' | 'phone_code'; readonly address: string }

/** The fields that are still missing. An invitation names the address, and proves that its reader has it. */
const readMissing = (
  { signUpFields, attributes }: PublicTenant,
  attempt: SignUpAttempt | undefined,
  isInvited: boolean,
) => ({
  fields: (attempt === undefined ? signUpFields : attempt.missingFields.filter(isOfService)).filter(
    (name) => !isInvited || name !== 'email',
  ),
  attributes: askedAttributes(attributes, attempt?.missingFields),
  isFirst: attempt === undefined,
})

/** Where the sign-up ends, and the invitation whose link has led to this page. */
function readAsked(redirectUri: string | undefined) {
  const invitationToken = readInvitationToken(location.href) ?? undefined
  const asked = {
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(invitationToken === undefined ? {} : { invitationToken }),
  }
  return { asked, isInvited: invitationToken !== undefined }
}

function useSignUp({ look, tenant, ...props }: FlowProps) {
  const client = useFormClient()
  const arrive = useArrival(props)
  const work = useWork(look.texts)
  const [attempt, setAttempt] = useState<SignUpAttempt>()
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [contact, setContact] = useState<Contact>()
  const [isSentAgain, setIsSentAgain] = useState(false)
  const [isElsewhere, setIsElsewhere] = useState(false)
  const { asked, isInvited } = readAsked(props.redirectTo)

  async function prepare({ id, missingVerifications }: SignUpAttempt, values: Readonly<Record<string, string>>) {
    const name = missingVerifications[0] === 'phone' ? 'phone' : 'email'
    const strategy = `${name}_code` as const
    await client.prepareVerification({ params: { id }, body: { strategy } })
    setContact({ strategy, address: values[name] ?? '' })
  }

  async function follow({ signUpAttempt, signInAttempt }: SignUpAnswer, values: Readonly<Record<string, string>>) {
    setAttempt(signUpAttempt)
    setContact(undefined)
    setIsSentAgain(false)
    // A second factor is set up on the hosted pages.
    if (signInAttempt !== undefined) return setIsElsewhere(true)
    if (signUpAttempt.status === 'complete') return arrive()
    if (signUpAttempt.status === 'needs_verification') await prepare(signUpAttempt, values)
  }

  return {
    work,
    contact,
    isSentAgain,
    isElsewhere,
    ...readMissing(tenant, attempt, isInvited),
    fill: (values: Readonly<Record<string, string>>) =>
      work.run([undefined, 'failed'], async () => {
        const all = { ...given, ...values }
        setGiven(all)
        const body = toBody(tenant.attributes, values)
        const answer =
          attempt === undefined
            ? await client.createSignUp({ body: { ...body, ...asked } })
            : await client.updateSignUp({ params: { id: attempt.id }, body })
        await follow(answer, all)
      }),
    verify: (code: string) =>
      work.run(['code', 'wrongCode'], async () => {
        if (attempt === undefined || contact === undefined) return
        const body = { strategy: contact.strategy, code }
        await follow(await client.attemptVerification({ params: { id: attempt.id }, body }), given)
      }),
    resend: () =>
      work.run(['code', 'wrongCode'], async () => {
        if (attempt !== undefined) await prepare(attempt, given)
        setIsSentAgain(true)
      }),
    restart: () => {
      work.clear()
      setAttempt(undefined)
      setContact(undefined)
      setIsElsewhere(false)
    },
  }
}

function Flow(props: FlowProps) {
  const { isNext, look, onSwitch, redirectTo, tenant } = props
  const { classes, texts } = look
  const flow = useSignUp(props)
  const { contact, isFirst, work } = flow
  if (flow.isElsewhere) {
    return <Elsewhere look={look} tenant={tenant} redirectTo={redirectTo} work={work} onRestart={flow.restart} />
  }
  if (contact !== undefined) {
    const lead = filled(texts.verifyLead, { address: contact.address })
    const notice = flow.isSentAgain ? texts.resent : undefined
    return (
      <Card look={look} title={texts.codeTitle} lead={lead} problems={work.problems} notice={notice} isNext>
        <Form
          look={look}
          isBusy={work.isBusy}
          submit={texts.continue}
          onSubmit={({ code = '' }) => void flow.verify(code)}
        >
          <CodeField look={look} problems={work.problems} />
        </Form>
        <Choice look={look} onClick={() => void flow.resend()}>
          {texts.resend}
        </Choice>
        <Choice look={look} onClick={flow.restart}>
          {texts.back}
        </Choice>
      </Card>
    )
  }
  const problems = canSignUp(tenant) ? work.problems : { form: texts.closed, fields: {} }
  const lead = filled(texts.signUpLead, { tenant: tenant.name })
  return (
    <Card look={look} title={texts.signUp} lead={lead} problems={problems} isNext={isNext || !isFirst}>
      <Form look={look} isBusy={work.isBusy} submit={texts.continue} onSubmit={(values) => void flow.fill(values)}>
        <Fields look={look} problems={problems} fields={flow.fields} />
        <AttributeFields
          look={look}
          problems={problems}
          attributes={flow.attributes}
          language={document.documentElement.lang}
        />
      </Form>
      {isFirst && <Providers look={look} tenant={tenant} work={work} redirectTo={redirectTo} />}
      {isFirst && canSignIn(tenant) && (
        <p className={classes('bw-hint', 'hint')}>
          {texts.hasAccount}{' '}
          <Choice look={look} onClick={onSwitch}>
            {texts.signIn}
          </Choice>
        </p>
      )}
    </Card>
  )
}

export function SignUpForm(props: EmbeddedFormProps) {
  const look = useFormLook(props.appearance)
  return (
    <WithTenant look={look} title={look.texts.signUp}>
      {(tenant) => <Flow {...props} look={look} tenant={tenant} />}
    </WithTenant>
  )
}
