// Signing up, step by step: what is still missing, and the address that waits for its code.
import type { PublicTenant, SignUpAnswer, SignUpAttempt, SignUpFieldName } from '@bailiwick/contract'
import { useState } from 'react'
import { readInvitationToken } from '../../return-address.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { askedAttributes, toBody } from '../attributes.tsx'
import { useFormClient } from '../form-client.ts'
import { type EmbeddedFormProps, useArrival } from '../props.ts'
import { useWork } from '../use-work.ts'

const isOfService = (name: string): name is SignUpFieldName => !name.startsWith('attributes/')

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

interface SignUpOptions extends Pick<EmbeddedFormProps, 'redirectTo' | 'onSignedIn'> {
  readonly tenant: PublicTenant
  readonly texts: Texts
}

export function useSignUp({ tenant, texts, ...props }: SignUpOptions) {
  const client = useFormClient()
  const arrive = useArrival(props)
  const work = useWork(texts)
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
