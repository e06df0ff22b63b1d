// Requests of directories, the usual and the odd, which two implementations of SCIM are to answer alike. `{ada}` stands for an id that an earlier
// answer had.
import { groupUrn, patchUrn, userUrn } from '../people/scim.ts'

export interface ComparedRequest {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The name under which the id in the answer is known from here on. */
  readonly keeps?: string
}

const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

const get = (name: string, path: string): ComparedRequest => ({ name, method: 'GET', path })
const filter = (text: string, kind = 'Users', name = text) =>
  get(`${kind}: ${name}`, `/${kind}?filter=${encodeURIComponent(text)}`)
const patch = (name: string, Operations: readonly object[], path = '/Users/{ada}'): ComparedRequest => ({
  name,
  method: 'PATCH',
  path,
  body: { schemas: [patchUrn], Operations },
})
const post = (name: string, path: string, body: unknown, keeps?: string): ComparedRequest => ({
  name,
  method: 'POST',
  path,
  body,
  ...(keeps === undefined ? {} : { keeps }),
})

const userAt =
  (domain: string) =>
  (name: string, more: object = {}) => ({
    schemas: [userUrn],
    userName: `${name}@${domain}`,
    name: { givenName: name, familyName: 'Lovelace', formatted: `${name} Lovelace` },
    displayName: `${name} Lovelace`,
    emails: [{ value: `${name}@${domain}`, type: 'work', primary: true }],
    active: true,
    ...more,
  })
type MakeUser = ReturnType<typeof userAt>

const group = (displayName: string, more: object = {}) => ({ schemas: [groupUrn], displayName, ...more })

const creations = (user: MakeUser, domain: string): readonly ComparedRequest[] => [
  post('create', '/Users', user('ada', { externalId: 'Ext-1' }), 'ada'),
  post(
    'create another',
    '/Users',
    user('bob', {
      schemas: [userUrn, enterpriseUrn],
      title: 'Engineer',
      [enterpriseUrn]: { department: 'R&D' },
    }),
    'bob',
  ),
  post('create inactive', '/Users', user('cleo', { active: false }), 'cleo'),
  post('create without schemas', '/Users', { ...user('dan'), schemas: undefined }, 'dan'),
  post('create without userName', '/Users', { ...user('eve'), userName: undefined }),
  post('create with an unknown attribute', '/Users', user('fay', { favouriteColour: 'blue' })),
  post('create with a wrong type', '/Users', user('gil', { active: 'perhaps' })),
  post('create the same', '/Users', user('ada')),
  post('create the same in capitals', '/Users', { ...user('ada'), userName: `ADA@${domain.toUpperCase()}` }),
  get('read', '/Users/{ada}'),
  get('read some', '/Users/{ada}?attributes=userName'),
  get('read without', '/Users/{ada}?excludedAttributes=emails,name'),
  get('read what is not there', '/Users/nobody'),
  get('count 0', '/Users?count=0'),
  get('count below 0', '/Users?count=-1'),
  get('count of no number', '/Users?count=many'),
  get('start at 0', '/Users?startIndex=0&count=1'),
  get('second page', '/Users?startIndex=2&count=1'),
  get('beyond the last', '/Users?startIndex=100'),
]

const filters = (domain: string): readonly ComparedRequest[] => [
  filter(`userName eq "ada@${domain}"`),
  filter(`USERNAME EQ "ADA@${domain}"`),
  filter('externalId eq "Ext-1"'),
  filter('externalId eq "ext-1"'),
  filter(`emails.value eq "ada@${domain}"`),
  filter(`emails[type eq "work" and value eq "ada@${domain}"]`),
  filter('active eq true'),
  filter('id eq "nobody"'),
  filter(`${userUrn}:userName eq "ada@${domain}"`),
  filter(`userName eq "ada@${domain}" and active eq true`, 'Users', 'userName eq and active'),
  filter(`(userName eq "ada@${domain}")`, 'Users', 'in parentheses'),
  filter('userName co "ada"'),
  filter('userName pr'),
  filter('userName eq "x" or externalId eq "Ext-1"'),
  filter('not (active eq true)'),
  filter('userName eq'),
  filter('userName eq ada'),
  filter('favouriteColour eq "blue"'),
]

const replacements = (user: MakeUser): readonly ComparedRequest[] => [
  { name: 'replace', method: 'PUT', path: '/Users/{bob}', body: user('bob', { title: 'Director' }) },
  {
    name: 'replace without userName',
    method: 'PUT',
    path: '/Users/{bob}',
    body: { ...user('bob'), userName: undefined },
  },
  { name: 'replace with another id', method: 'PUT', path: '/Users/{bob}', body: user('bob', { id: 'other' }) },
  {
    name: 'replace without active',
    method: 'PUT',
    path: '/Users/{bob}',
    body: { ...user('bob'), active: undefined },
  },
  { name: 'replace with a taken name', method: 'PUT', path: '/Users/{bob}', body: user('ada') },
  { name: 'replace what is not there', method: 'PUT', path: '/Users/nobody', body: user('nobody') },
]

const patches = (domain: string): readonly ComparedRequest[] => [
  patch('deactivate as Okta', [{ op: 'replace', value: { active: false } }]),
  patch('activate as Entra', [{ op: 'Replace', path: 'active', value: 'True' }]),
  patch('change a part of the name', [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }]),
  patch('change by names with dots', [{ op: 'replace', value: { 'name.familyName': 'King' } }]),
  patch('change the address by a filter', [
    { op: 'replace', path: 'emails[type eq "work"].value', value: `augusta@${domain}` },
  ]),
  patch('add a second address', [{ op: 'add', path: 'emails', value: [{ value: `a@${domain}`, type: 'home' }] }]),
  patch('remove it', [{ op: 'remove', path: 'emails[type eq "home"]' }]),
  patch('change what no filter finds', [
    { op: 'replace', path: 'emails[type eq "pager"].value', value: 'x@y.example' },
  ]),
  patch('change the department', [{ op: 'add', path: `${enterpriseUrn}:department`, value: 'Engines' }]),
  patch('remove the display name', [{ op: 'remove', path: 'displayName' }]),
  patch('remove without a path', [{ op: 'remove' }]),
  patch('remove what is required', [{ op: 'remove', path: 'userName' }]),
  patch('change what is read-only', [{ op: 'replace', path: 'id', value: 'other' }]),
  patch('change what is unknown', [{ op: 'replace', path: 'favouriteColour', value: 'blue' }]),
  patch('an unknown operation', [{ op: 'increase', path: 'title', value: 'x' }]),
  patch('no operations', []),
  { name: 'patch without schemas', method: 'PATCH', path: '/Users/{ada}', body: { Operations: [] } },
  patch('patch what is not there', [{ op: 'replace', path: 'active', value: false }], '/Users/nobody'),
]

const groups = (): readonly ComparedRequest[] => [
  post(
    'create a group',
    '/Groups',
    group('Engineering', { externalId: 'G-1', members: [{ value: '{ada}' }] }),
    'group',
  ),
  post('create a group of the same name', '/Groups', group('Engineering'), 'same'),
  post('create a group without a name', '/Groups', { schemas: [groupUrn] }),
  post('create a group with a stranger', '/Groups', group('Strangers', { members: [{ value: 'nobody' }] })),
  get('read a group', '/Groups/{group}'),
  get('read a group without members', '/Groups/{group}?excludedAttributes=members'),
  filter('displayName eq "engineering"', 'Groups'),
  filter('externalId eq "G-1"', 'Groups'),
  filter('members.value eq "{ada}"', 'Groups', 'members.value eq'),
  patch('add a member', [{ op: 'add', path: 'members', value: [{ value: '{bob}' }] }], '/Groups/{group}'),
  patch('add the member again', [{ op: 'add', path: 'members', value: [{ value: '{bob}' }] }], '/Groups/{group}'),
  patch('remove a member', [{ op: 'remove', path: 'members[value eq "{bob}"]' }], '/Groups/{group}'),
  patch(
    'remove a member as Entra',
    [{ op: 'Remove', path: 'members', value: [{ value: '{ada}' }] }],
    '/Groups/{group}',
  ),
  patch('rename a group', [{ op: 'replace', value: { displayName: 'Engines' } }], '/Groups/{group}'),
  patch('replace members', [{ op: 'replace', path: 'members', value: [{ value: '{ada}' }] }], '/Groups/{group}'),
  { name: 'replace a group', method: 'PUT', path: '/Groups/{group}', body: group('Engines') },
  { name: 'delete a group', method: 'DELETE', path: '/Groups/{group}' },
  { name: 'delete it again', method: 'DELETE', path: '/Groups/{group}' },
]

/** The end of users, searches, and what is about no resource or not understood. */
const others = (user: MakeUser): readonly ComparedRequest[] => [
  { name: 'delete a user', method: 'DELETE', path: '/Users/{bob}' },
  get('read the deleted user', '/Users/{bob}'),
  { name: 'delete the user again', method: 'DELETE', path: '/Users/{bob}' },
  post('create the deleted user again', '/Users', user('bob')),
  post('search', '/Users/.search', { schemas: [searchUrn], filter: 'externalId eq "Ext-1"', count: 1 }),
  post('search everything', '/.search', { schemas: [searchUrn], filter: 'externalId eq "Ext-1"', count: 1 }),
  post('bulk', '/Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] }),
  get('me', '/Me'),
  get('an unknown resource', '/Devices'),
  get('the configuration', '/ServiceProviderConfig'),
  get('the resource types', '/ResourceTypes'),
  get('one resource type', '/ResourceTypes/User'),
  get('one schema', `/Schemas/${userUrn}`),
  get('no schema', '/Schemas/urn:nothing'),
  get('a filter of the schemas', '/Schemas?filter=id%20eq%20%22x%22'),
  { name: 'no JSON', method: 'POST', path: '/Users', body: '{"schemas":' },
  {
    name: 'another media type',
    method: 'POST',
    path: '/Users',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  },
  { name: 'a list as body', method: 'POST', path: '/Users', body: [] },
]

/** @param domain of the addresses of the people, whom both may provision. */
export function comparedRequests(domain: string): readonly ComparedRequest[] {
  const user = userAt(domain)
  return [
    ...creations(user, domain),
    ...filters(domain),
    ...replacements(user),
    ...patches(domain),
    ...groups(),
    ...others(user),
  ]
}
