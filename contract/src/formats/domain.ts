const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const domainLengthMax = 253

export const domainRule =
  'must be a host name: dot-separated labels of letters, digits and hyphens, none starting or ending with a hyphen'

/** The form of a tenant's domain, with the lengths of RFC 1035 §2.3.4. Names in other scripts are written in punycode. */
export const isDomain = (value: string): boolean =>
  value.length <= domainLengthMax && value.split('.').every((label) => hostLabel.test(label))

export const domainKey = (value: string): string => value.toLowerCase()
