import { z } from 'zod';

/** What a page of the browser host sends to `POST /session`: the one-time ticket of its address. */
export const ticketSchema = z.object({ ticket: z.string().min(1).max(200) });
