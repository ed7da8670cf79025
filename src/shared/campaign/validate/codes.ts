/** Every code that a failing field can have. Branch on these, never on the message. */
export const fieldErrorCodes = [
  'required',
  'wrong_type',
  'too_long',
  'out_of_range',
  'not_allowed',
  'not_editable',
  'unknown_field',
  'missing_field',
  'needs_value',
  'invalid_url',
  'invalid_date',
  'invalid_time',
  'invalid_time_zone',
  'invalid_schedule',
  'ends_before_start',
  'broken_text',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];
