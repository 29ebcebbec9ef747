// Who works in the admin, and what each of them may do. A row of `roles` is a role; calls and pages name the permission they need.

export const staffRoles = ['owner', 'books', 'fulfillment', 'support'] as const
export type StaffRole = (typeof staffRoles)[number]

const reading = [
  'read_orders',
  'read_claims',
  'read_messages',
  'read_reviews',
  'read_partners',
  'read_catalog',
  'read_figures',
  'read_settings',
  'read_log',
] as const

/** `open_admin`: what every role has. The rest is a verb and the area of the admin that it reaches. */
const permissions = [
  'open_admin',
  ...reading,
  /** Addresses, pieces, notes and invoices of an order, its emails again, and orders taken by phone. */
  'edit_orders',
  /** Hold, release, cancel, submit and replace. */
  'fulfill_orders',
  /** Money back, within the role's limits. */
  'refund_orders',
  'decide_claims',
  'answer_messages',
  'moderate_reviews',
  'close_months',
] as const
export type Permission = (typeof permissions)[number]

type Role = {
  name: string
  /** One sentence for the page that gives the role. */
  summary: string
  permissions: readonly Permission[]
  /** Whether its refunds have limits, which an owner sets. */
  hasLimits: boolean
}

/** Everything that no permission names, such as people, settings and payouts, is for owners alone. */
export const roles: Readonly<Record<StaffRole, Role>> = {
  owner: { name: 'Owner', summary: 'Does everything.', permissions, hasLimits: false },
  books: {
    name: 'Books',
    summary: 'Reads everything but people’s accounts and personal data, and closes months.',
    permissions: ['open_admin', ...reading, 'close_months'],
    hasLimits: false,
  },
  fulfillment: {
    name: 'Fulfillment',
    summary: 'Works on orders and decides claims, with refunds up to a limit.',
    permissions: [
      ...['open_admin', 'read_orders', 'edit_orders', 'fulfill_orders', 'refund_orders'],
      ...['read_claims', 'decide_claims'],
    ] as const,
    hasLimits: true,
  },
  support: {
    name: 'Support',
    summary: 'Answers messages and reviews, corrects and changes orders, with refunds up to a limit.',
    permissions: [
      ...['open_admin', 'read_orders', 'edit_orders', 'refund_orders', 'read_claims'],
      ...['read_messages', 'answer_messages', 'read_reviews', 'moderate_reviews'],
    ] as const,
    hasLimits: true,
  },
}

/** What a call or page asks of a person: a permission, or to be an owner. */
export type StaffNeed = Permission | 'owner'

/** @param role null for everybody who does not work here */
export const roleMay = (role: StaffRole | null, need: StaffNeed): boolean =>
  role !== null && (role === 'owner' || (need !== 'owner' && roles[role].permissions.includes(need)))

/** Who may, as a sentence: `This is for Owner and Books.` */
export function explainNeed(need: StaffNeed): string {
  const names = staffRoles.filter((role) => roleMay(role, need)).map((role) => roles[role].name)
  const last = names.pop() ?? ''
  return `This is for ${names.length > 0 ? `${names.join(', ')} and ${last}` : last}.`
}
