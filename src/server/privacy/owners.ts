import { personalData as accounts } from '#server/accounts/personal-data.ts'
import { personalData as auditLog } from '#server/audit-log/personal-data.ts'
import { personalData as blanks } from '#server/blanks/personal-data.ts'
import { personalData as cart } from '#server/cart/personal-data.ts'
import { personalData as catalog } from '#server/catalog/personal-data.ts'
import { personalData as claims } from '#server/claims/personal-data.ts'
import { personalData as checkout } from '#server/checkout/personal-data.ts'
import type { PersonalData } from '#server/db/personal-data.ts'
import { personalData as drops } from '#server/drops/personal-data.ts'
import { personalData as fulfillment } from '#server/fulfillment/personal-data.ts'
import { personalData as giftCards } from '#server/gift-cards/personal-data.ts'
import { personalData as ledger } from '#server/ledger/personal-data.ts'
import { personalData as limits } from '#server/limits/personal-data.ts'
import { personalData as mail } from '#server/mail/personal-data.ts'
import { personalData as messages } from '#server/messages/personal-data.ts'
import { personalData as orders } from '#server/orders/personal-data.ts'
import { personalData as pictures } from '#server/pictures/personal-data.ts'
import { personalData as partners } from '#server/partners/personal-data.ts'
import { personalData as payments } from '#server/payments/personal-data.ts'
import { personalData as providers } from '#server/providers/personal-data.ts'
import { personalData as raffles } from '#server/raffles/personal-data.ts'
import { personalData as reconciliation } from '#server/reconciliation/personal-data.ts'
import { personalData as reviews } from '#server/reviews/personal-data.ts'
import { personalData as settings } from '#server/settings/personal-data.ts'
import { personalData as studio } from '#server/studio/personal-data.ts'
import { personalData as visits } from '#server/visits/personal-data.ts'
import { personalData as privacy } from './personal-data.ts'

/** Owners of all tables but `admin`'s, which hold nobody's data. They erase in this order, which is the order of their locks. */
export const owners: readonly PersonalData[] = [
  payments,
  orders,
  reviews,
  claims,
  raffles,
  checkout,
  reconciliation,
  mail,
  providers,
  messages,
  privacy,
  partners,
  accounts,
  giftCards,
  drops,
  ...[auditLog, blanks, cart, catalog, fulfillment, ledger, limits, pictures, settings, studio, visits],
]
