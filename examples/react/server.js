import { bailiwickAuth, requireAuth } from '@bailiwick/sdk/express'
import express from 'express'
import { createServer } from 'vite'

const { middlewares } = await createServer({ server: { middlewareMode: true } })

express()
  .get('/orders', bailiwickAuth(), requireAuth(), ({ auth }, response) => response.json({ customer: auth.user.email }))
  .use(middlewares)
  .listen(3000, 'localhost', () => console.log('The app is ready: http://localhost:3000'))
