// The English texts, and the keys that every other language has to have. `{name}` is filled in when the text is shown.
import { account } from './account.ts'
import { applications } from './applications.ts'
import { organizations } from './organizations.ts'
import { signIn } from './sign-in.ts'

export const en = { ...signIn, ...account, ...organizations, ...applications }
