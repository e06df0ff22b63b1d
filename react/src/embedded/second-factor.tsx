// The second factor: a code of an authenticator app, a recovery code, or a passkey or security key. And the offer of a passkey.
import { Card, Choice, CodeField, Form } from './form.tsx'
import type { StepProps } from './sign-in-form.tsx'
import { type SecondWay, findSecondWays } from './steps/use-sign-in.ts'

const leads = { app: 'appLead', key: 'keyLead', recovery: 'recoveryLead' } as const
const choices = { app: 'useApp', key: 'useKey', recovery: 'useRecovery' } as const

export function SecondFactor({ flow, look, way }: StepProps & { readonly way: SecondWay }) {
  const { texts } = look
  const { isBusy, problems } = flow.work
  const others = flow.attempt === undefined ? [] : findSecondWays(flow.attempt).filter((other) => other !== way)
  return (
    <Card key={way} look={look} title={texts.secondTitle} lead={texts[leads[way]]} problems={problems} isNext>
      {way === 'key' ? (
        <Form look={look} isBusy={isBusy} submit={texts.continue} onSubmit={() => void flow.provePasskey()} />
      ) : (
        <Form
          look={look}
          isBusy={isBusy}
          submit={texts.continue}
          onSubmit={({ code = '' }) => void flow.proveSecond(code)}
        >
          <CodeField
            look={look}
            problems={problems}
            inputMode={way === 'app' ? 'numeric' : 'text'}
            {...(way === 'recovery' ? { label: texts.recoveryCode } : {})}
          />
        </Form>
      )}
      {others.map((other) => (
        <Choice key={other} look={look} onClick={() => flow.go({ at: 'second', way: other })}>
          {texts[choices[other]]}
        </Choice>
      ))}
      <Choice look={look} onClick={flow.restart}>
        {texts.back}
      </Choice>
    </Card>
  )
}

/** After a sign-in with a password: the offer of a passkey, which can be put off. */
export function Offer({ flow, look }: Pick<StepProps, 'flow' | 'look'>) {
  const { texts } = look
  const { isBusy, problems } = flow.work
  return (
    <Card look={look} title={texts.offerTitle} lead={texts.offerLead} problems={problems} isNext>
      <Form look={look} isBusy={isBusy} submit={texts.offerCreate} onSubmit={() => void flow.acceptOffer()} />
      <Choice look={look} onClick={() => void flow.declineOffer()}>
        {texts.offerLater}
      </Choice>
    </Card>
  )
}
