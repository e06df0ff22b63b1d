// Who somebody is, from the attributes of an assertion.
import type { SamlAttributes } from '@bailiwick/contract'
import type { VerifiedAssertion } from './assertions/verify-assertion.ts'

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const microsoft = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/'
/** What providers call these by default: Okta, Entra, ADFS, Google and the attributes of eduPerson. */
const usualNames: Readonly<Record<keyof SamlAttributes, readonly string[]>> = {
  email: ['email', 'mail', 'Email', 'emailAddress', `${claims}emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'],
  name: [
    'name',
    'displayName',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
  ],
  givenName: ['givenName', 'firstName', 'FirstName', `${claims}givenname`, 'urn:oid:2.5.4.42'],
  familyName: ['sn', 'lastName', 'LastName', 'familyName', 'surname', `${claims}surname`, 'urn:oid:2.5.4.4'],
  groups: [
    'groups',
    'Groups',
    'memberOf',
    `${microsoft}groups`,
    `${microsoft}role`,
    'eduPersonAffiliation',
    'urn:oid:1.3.6.1.4.1.5923.1.1.1.1',
  ],
}
const emailFormat = /^urn:oasis:names:tc:SAML:(?:1\.1|2\.0):nameid-format:emailAddress$/

export interface SaidOfPerson {
  readonly subject: string
  readonly email: string | undefined
  readonly name: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
  readonly claims: Readonly<Record<string, string | readonly string[]>>
}

export function personIn({ nameId, nameIdFormat, attributes }: VerifiedAssertion, names: SamlAttributes): SaidOfPerson {
  const valuesFor = (field: keyof SamlAttributes) => {
    const name = names[field]
    const found = name === null ? usualNames[field].find((each) => attributes.has(each)) : name
    return found === undefined ? [] : (attributes.get(found) ?? [])
  }
  const first = (field: keyof SamlAttributes) => valuesFor(field).find((value) => value !== '')
  const isAddress = emailFormat.test(nameIdFormat ?? '')
  const groups = valuesFor('groups')
  return {
    subject: nameId,
    email: first('email') ?? (isAddress ? nameId : undefined),
    name: first('name'),
    givenName: first('givenName'),
    familyName: first('familyName'),
    claims: Object.fromEntries([...attributes, ...(groups.length > 0 ? [['groups', groups] as const] : [])]),
  }
}
