import { roles } from '#domain/accounts/roles.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { requireSignedInUser } from './own-account.ts'
import {
  acceptInvitation,
  changeRole,
  invite,
  listPeople,
  resendInvitation,
  saveRole,
  showInvitation,
  withdrawInvitation,
} from './staff.ts'
import { toSessionUser } from './store.ts'

export function staffRoutes(app: App, shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): void {
  serve(app, 'people', {
    list: async (context) => listPeople(shop, (await requireSignedInUser(context)).userId),
    async invite(context, { body }) {
      await invite(shop, await actorOf(context), body)
      return { done: 'Invitation sent' }
    },
    async resend(context, { params }) {
      await resendInvitation(shop, await actorOf(context), params.id)
      return { done: 'Invitation sent again' }
    },
    async withdraw(context, { params }) {
      await withdrawInvitation(shop, await actorOf(context), params.id)
      return { done: 'Invitation withdrawn' }
    },
    async changeRole(context, { params, body }) {
      const name = await changeRole(shop, await actorOf(context), params.id, body.role)
      return { done: `${name} has the role ${roles[body.role].name} now` }
    },
    async remove(context, { params }) {
      const name = await changeRole(shop, await actorOf(context), params.id, null)
      return { done: `${name} no longer works here` }
    },
    async saveRole(context, { params, body }) {
      await saveRole(shop, await actorOf(context), params.role, body)
      return { done: `${roles[params.role].name} saved` }
    },
  })
  serve(app, 'invitations', {
    look: (_, { body }) => showInvitation(shop, body.token),
    async accept(context, { body }) {
      const user = await acceptInvitation(shop, body, context.ip)
      await context.signIn(user.id)
      return toSessionUser(shop.db, user)
    },
  })
}
