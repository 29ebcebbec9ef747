import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { requestReconciliation } from './jobs.ts'
import { listExceptions, readReconciliation } from './list.ts'
import { repairException, type RepairNeeds } from './repairs.ts'
import { findOpenException } from './store.ts'

export const reconciliationRoutes = (app: App, shop: RepairNeeds & Needs<'config'>) =>
  serve(app, 'reconciliation', {
    exceptions: (_, { query }) => listExceptions(shop, query),
    repair: async (context, { params: { id } }) => {
      const wasOpen = await repairException(shop, id, await actorOf(context))
      return { wasOpen, isHealed: (await findOpenException(shop.db, id)) === undefined }
    },
    reconciliation: () => readReconciliation(shop),
    reconcile: async (context) => {
      await requestReconciliation(shop, await actorOf(context))
      return { isAsked: true }
    },
  })
