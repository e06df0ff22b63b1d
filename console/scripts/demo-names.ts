// The people and tenants of the demo data: names of several scripts, names that are long, and people who gave only some of their data.
export interface Person {
  readonly name?: string
  readonly email?: string
  readonly username?: string
  readonly phone?: string
}

const names = [
  'Ada Lovelace',
  'Søren Kierkegård',
  'Иван Петров',
  '山田 太郎',
  'محمد العلي',
  'נועה לוי',
  'Αλέξανδρος Παπαδόπουλος',
  '김민준',
  '王芳',
  'Nguyễn Thị Minh Khai',
  'Wolfeschlegelsteinhausenbergerdorff von und zu Hohenzollern-Sigmaringen',
  'Zoë Ångström',
  'Grace Hopper',
  'Alan Turing',
  'Barbara Liskov',
  'Edsger Dijkstra',
  'Frances Allen',
  'Donald Knuth',
  'Joan Clarke',
  'Tim Berners-Lee',
  'Hedy Lamarr',
  'Claude Shannon',
  'Mary Jackson',
  'Dennis Ritchie',
  'Karen Spärck Jones',
  'John McCarthy',
  'Adele Goldberg',
  'Niklaus Wirth',
]

const named = names.map((name, index): Person => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .trim()
    .replaceAll(/ +/g, '.')
  const local = plain === '' ? `member-${index}` : plain.slice(0, 40).replace(/\.$/, '')
  return { name, email: `${local}@${index % 3 === 0 ? 'northwind.example' : 'example.com'}` }
})

export const people: readonly Person[] = [
  ...named.slice(0, 9),
  { email: 'a.person.with.a.very.long.address.indeed@subdomain.of.a.company.with.a.long.name.example' },
  { username: 'night_owl' },
  { phone: '+4915112345678' },
  { name: 'Mary Ann Evans', username: 'george_eliot', phone: '+442079460999' },
  ...named.slice(9),
]

export const tenantNames = [
  'Acme Incorporated',
  'Blue Harbour Logistics',
  'Café Zürich',
  'Data Science Society',
  'Example shop',
  'Fabrikam',
  'Gesellschaft für Energie Südwest',
  'Hakuna Health',
  'Initech',
  '株式会社サンプル',
  'Kontoso Insurance',
]
