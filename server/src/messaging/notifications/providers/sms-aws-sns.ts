// https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
import { signedForAws } from './aws.ts'
import { byHttp, formRequest } from './http-provider.ts'
import { text } from './provider.ts'

/** A number is used as the origination number, a name as the sender id. */
const senderAttribute = (from: string): (readonly [string, string])[] => {
  if (from === '') return []
  return [[from.startsWith('+') ? 'AWS.MM.SMS.OriginationNumber' : 'AWS.SNS.SMS.SenderID', from]]
}

export const sendBySns = byHttp(({ deps, message, settings }) => {
  const attributes = [['AWS.SNS.SMS.SMSType', 'Transactional'], ...senderAttribute(text(settings, 'from'))] as const
  const fields = attributes.flatMap(([name, value], index) => {
    const entry = `MessageAttributes.entry.${index + 1}`
    return [
      [`${entry}.Name`, name],
      [`${entry}.Value.DataType`, 'String'],
      [`${entry}.Value.StringValue`, value],
    ] as const
  })
  const request = formRequest(
    `https://sns.${text(settings, 'region')}.amazonaws.com/`,
    {},
    {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: message.to,
      Message: message.text,
      ...Object.fromEntries(fields),
    },
  )
  return signedForAws(request, { service: 'sns', settings, clock: deps.clock })
})
