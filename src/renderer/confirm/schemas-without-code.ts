import { config } from 'zod';

// Answers are checked without making code of a schema: the page's policy forbids even to try. Before the first schema is made.
config({ jitless: true });
