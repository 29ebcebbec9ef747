import type { Clock } from '#shared/time.ts'
import type { Config } from './config/config.ts'
import type { Database, Db } from './db/db.ts'
import type { JobQueue } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import type { MailTransport } from './mail/transport.ts'
import type { PictureProcess } from './pictures/picture-process.ts'
import type { Payments } from './providers/payments.ts'
import type { PaypalGateway } from './providers/paypal/paypal.ts'
import type { Drand } from './providers/drand/drand.ts'
import type { Printful } from './providers/printful/client.ts'
import type { StripeGateway } from './providers/stripe/stripe.ts'
import type { VisitCounter } from './visits/visit-counter.ts'

/** Everything that an operation can be given. An operation names what it needs: `Needs<'db' | 'clock'>`. */
export type Shop = {
  config: Config
  database: Database
  db: Db
  clock: Clock
  log: Log
  jobs: JobQueue
  stripe: StripeGateway
  paypal: PaypalGateway
  payments: Payments
  printful: Printful
  drand: Drand
  mailTransport: MailTransport
  pictureProcess: PictureProcess
  visits: VisitCounter
}

export type Needs<Names extends keyof Shop> = Pick<Shop, Names>
