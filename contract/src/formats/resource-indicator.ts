// RFC 8707 section 2: an absolute URI without a fragment.
export const resourceIndicatorRule =
  'must be an absolute https URL or a URN in ASCII, of at most 512 characters, without user name, query and fragment; http is allowed only for localhost, such as http://localhost:3000'

const lengthMax = 512
const plain =
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])$|urn:)[\w\-.~:/@!$&'()*+,;=%[\]]*$/

/** Whether an address can name a resource. Addresses are compared as they are written, so that only a plain one is taken. */
export function isResourceIndicator(value: string): boolean {
  if (value.length > lengthMax || !plain.test(value) || !URL.canParse(value)) return false
  const { protocol, username, password, href } = new URL(value)
  if (username !== '' || password !== '') return false
  return protocol === 'urn:' ? href === value && value !== 'urn:' : href === value || href === `${value}/`
}
