import { accountCalls } from '#contract/accounts.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { login, register } from './accounts.ts'
import { createLoginLimit } from './login-limit.ts'
import { sessionUserOf } from './store.ts'

/** Wrong passwords for one account from one address, within ten minutes; `RATE_LIMIT_SCALE` multiplies it. */
const LOGIN_TRIES_MAX = 20

export function accountRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  const limit = createLoginLimit(shop.clock, Math.max(1, Math.round(LOGIN_TRIES_MAX * shop.config.rateLimitScale)))
  serve(app, accountCalls, {
    current: async ({ session }) => {
      const user = (await session())?.user
      if (!user) throw new Refused('not_signed_in')
      return user
    },
    login: async ({ signIn, ip }, { body }) => {
      const user = await login(shop, limit, body, ip)
      await signIn(user.id)
      return sessionUserOf(user)
    },
    register: async ({ signIn }, { body }) => {
      const user = await register(shop, body)
      await signIn(user.id)
      return sessionUserOf(user)
    },
    logout: ({ signOut }) => signOut(),
  })
}
