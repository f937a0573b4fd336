/** What the service's calls are compared with: a route that does nothing but one select with a name. */
import fastify from 'fastify'
import pg from 'pg'
import { serve } from './peer.ts'

const server = fastify()

const orders = {
  /** Answers the port. */
  listen: async ({ databaseUrl, partnerId }: { readonly databaseUrl: string; readonly partnerId: string }) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
    const text = 'select id, display_name, settings from partners where id = $1'
    server.post('/', async () => (await pool.query({ name: 'bare', text, values: [partnerId] })).rows[0])
    return Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  },
}

export type Bare = typeof orders

serve(orders, () => server.close())
