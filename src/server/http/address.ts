import { normalizeIP } from '@fastify/rate-limit'

/**
 * What counts as one address: of IPv6 the network, because whoever has one address of it has all the others; an IPv4 address
 * written as IPv6 is itself.
 */
export const addressOf = (ip: string): string => normalizeIP(ip, 64)
