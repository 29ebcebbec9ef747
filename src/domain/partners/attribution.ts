/** ended: its links still lead to the shop, and earn nothing new. */
export const partnerStates = ['active', 'ended'] as const
export type PartnerState = (typeof partnerStates)[number]

/** Why an order that came by a partner's link earns that partner nothing. */
export const attributionObjections = ['own_account', 'own_email', 'partner_ended'] as const
export type AttributionObjection = (typeof attributionObjections)[number]
