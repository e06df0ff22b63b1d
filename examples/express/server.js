import { bailiwickAuth, requireAuth, requirePermission } from '@bailiwick/sdk/express'
import express from 'express'

const { BAILIWICK_FRONTEND_API_URL: baseUrl, BAILIWICK_PUBLIC_KEY: publicKey, PORT = '3000' } = process.env

const app = express()
// Sets request.auth. It takes the tenant's addresses and keys from the environment.
app.use(bailiwickAuth())

// The page, and the SDK for it: a browser runs it as it is installed.
app.use(express.static('public'))
app.use('/sdk', express.static('node_modules/@bailiwick/sdk/dist'))
app.get('/config.json', (request, response) => response.json({ baseUrl, publicKey }))

// Open to everybody.
app.get('/api/greeting', (request, response) => {
  response.json({ greeting: `Hello, ${request.auth?.user.email ?? 'stranger'}.` })
})

// For signed-in users; everybody else gets 401.
app.get('/api/me', requireAuth(), (request, response) => {
  const { id, email, name } = request.auth.user
  response.json({ id, email, name, permissions: request.auth.permissions })
})

// For those whose role has the permission; everybody else gets 403.
app.get('/api/orders', requirePermission('orders:read'), (request, response) => {
  response.json({ orders: [{ id: 1, item: 'A copy of the Domesday Book', customer: request.auth.user.id }] })
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`The app is ready: http://127.0.0.1:${PORT}`))
