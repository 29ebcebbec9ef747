import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { login, register } from './accounts.ts'
import { requestNewPassword, proveEmail, setNewPassword } from './links.ts'
import { createLoginLimit } from '#server/limits/login-limit.ts'
import {
  changeEmail,
  changePassword,
  confirmPassword,
  endOneSignIn,
  endOtherSignIns,
  requireSignedInUser,
  showAccount,
} from './own-account.ts'
import { beginSecondFactor, renewRecoveryCodes, disableSecondFactor, enableSecondFactor } from './second-factor.ts'
import { toSessionUser } from './store.ts'

/** Wrong passwords for one account from one address in ten minutes; `RATE_LIMIT_SCALE` multiplies it. */
const LOGIN_TRIES_MAX = 20

const userIdOf = async (context: Context) => (await requireSignedInUser(context)).userId

export function accountRoutes(app: App, shop: Needs<'database' | 'db' | 'clock' | 'config' | 'jobs'>): void {
  const limit = createLoginLimit(shop, Math.max(1, Math.round(LOGIN_TRIES_MAX * shop.config.rateLimitScale)))
  serve(app, 'accounts', {
    current: async ({ session }) => {
      const user = (await session())?.user
      if (!user) throw new Refusal('not_signed_in')
      return user
    },
    login: async (context, { body }) => {
      const user = await login(shop, limit, body, context)
      await context.signIn(user.id)
      return toSessionUser(shop.db, user)
    },
    register: async ({ signIn }, { body }) => {
      const user = await register(shop, body)
      await signIn(user.id)
      return toSessionUser(shop.db, user)
    },
    logout: ({ signOut }) => signOut(),
    askReset: (_, { body }) => requestNewPassword(shop, body.account),
    reset: (_, { body }) => setNewPassword(shop, body.token, body.password),
    account: async (context) => showAccount(shop, await requireSignedInUser(context)),
    confirm: async (context, { body }) => confirmPassword(shop, limit, await requireSignedInUser(context), body),
    changePassword: (context, { body }) => changePassword(shop, limit, context, body),
    changeEmail: async (context, { body }) => changeEmail(shop, limit, await requireSignedInUser(context), body),
    proveEmail: async (context, { body }) => ({ email: await proveEmail(shop, await userIdOf(context), body.token) }),
    endSignIn: async (context, { params }) => endOneSignIn(shop, await requireSignedInUser(context), params.handle),
    endOtherSignIns: async (context) => endOtherSignIns(shop, await requireSignedInUser(context)),
    beginSecondFactor: async (context) => beginSecondFactor(shop, await userIdOf(context)),
    switchOnSecondFactor: async (context, { body }) => ({
      recoveryCodes: await enableSecondFactor(shop, context, await userIdOf(context), body.code),
    }),
    switchOffSecondFactor: async (context) => disableSecondFactor(shop, context, await userIdOf(context)),
    renewRecoveryCodes: async (context) => ({
      recoveryCodes: await renewRecoveryCodes(shop, context, await userIdOf(context)),
    }),
  })
}
