// Lets a user read orders: makes the role and gives it to the user with this e-mail address.
import { Bailiwick } from '@bailiwick/sdk'

const { BAILIWICK_API_URL: baseUrl, BAILIWICK_SECRET_KEY: secretKey, BAILIWICK_TENANT_ID: tenantId } = process.env
const bailiwick = new Bailiwick({ baseUrl, secretKey })

const [email] = process.argv.slice(2)
const { data } = await bailiwick.listUsers({ query: { tenantId, query: email } })
const user = data.find(({ emailAddresses }) => emailAddresses.some((address) => address.email === email))
if (user === undefined) throw new Error(`nobody has the address ${email}`)
const role = await bailiwick.createRole({ body: { tenantId, name: 'Buyer', permissions: ['orders:read'] } })
await bailiwick.updateUser({ params: { id: user.id }, body: { roleId: role.id } })
console.log(`${email} may read orders.`)
