import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { authorizeOrderAccess, recordVisit, trackOrder } from './access.ts'
import { listOwnOrders } from './own-orders.ts'
import { giftPageOf, readGiftView } from './gift-page.ts'
import { findPastOrder, readPastOrderKey, showPastOrder } from './past-orders.ts'
import { readOrderView } from './order-view.ts'

export const orderRoutes = (app: App, shop: Needs<'db' | 'clock' | 'config'>) =>
  serve(app, 'orders', {
    own: (context, { query }) => listOwnOrders(shop, context, query.after),
    show: async (context, { query }) => {
      const access = await authorizeOrderAccess(shop, context, query)
      if (query.token !== undefined) await recordVisit(shop, access.order.id)
      return {
        ...(await readOrderView(shop.db, access, shop.clock.now(), shop.config)),
        giftPage: giftPageOf(shop, access),
        mayRegister: access.isPayer && !(await context.session())?.user,
      }
    },
    gift: (_, { query }) => readGiftView(shop, query.token),
    trackPast: async (_, { body }) => showPastOrder(shop.db, await findPastOrder(shop.db, body)),
    pastOrder: (_, { query }) => showPastOrder(shop.db, readPastOrderKey(shop, query.key)),
    track: async (context, { body }) => ({ orderNumber: await trackOrder(shop, context, body) }),
  })
