// Signing up within the page: first the fields that the tenant asks for, then the proof that an address belongs to the user.
import type { PublicTenant, SignUpFieldName } from '@bailiwick/contract'
import { filled } from '../texts/catalogue.ts'
import { AttributeFields } from './attributes.tsx'
import { type FormLook, useFormLook } from './form-look.ts'
import { Card, Choice, CodeField, Elsewhere, Field, Form, PasswordField } from './form.tsx'
import type { Problems } from './problems.ts'
import type { EmbeddedFormProps } from './props.ts'
import { Providers } from './providers.tsx'
import { useSignUp } from './steps/use-sign-up.ts'
import { canSignIn, canSignUp } from './tenant.ts'
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

function Flow(props: FlowProps) {
  const { isNext, look, onSwitch, redirectTo, tenant } = props
  const { classes, texts } = look
  const flow = useSignUp({ tenant, texts, redirectTo, onSignedIn: props.onSignedIn })
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
