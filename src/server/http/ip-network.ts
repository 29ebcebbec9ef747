import { normalizeIP } from '@fastify/rate-limit'

/**
 * Normalizes an address for counting: IPv6 to its /64 network, which belongs to one customer; IPv4 written as IPv6 to IPv4.
 */
export const networkOf = (ip: string): string => normalizeIP(ip, 64)
