import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import type { Tenant } from '../../tenants.ts';
import { clientName, redirectPlace } from './foreign.ts';
import { html } from '#core/platform/html.ts';
import type { Markup } from '#core/platform/html.ts';
import { layout } from './layout.ts';

/** What the sign-in page shows. */
export interface SignInView {
  tenant: Tenant;
  asked: AuthorizationRequest;
  /** The path of the interaction. */
  path: string;
  formToken: string;
  /** What stands in the field already: what was typed before. */
  login: string;
  /** What went wrong before, one or two sentences of ours. */
  notice: string | null;
}

/** Asks who sits there. Enter in the password field signs in, which allows nothing yet. */
export function signInPage({ tenant, asked, path, formToken, login, notice }: SignInView): Markup {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  const card = html`<form method="post" action="${path}/sign-in">
      ${token}
      <div class="lead">
        <h1>Sign in</h1>
        <p>
          <b>${clientName(asked)}</b> asks for access. The answer goes to
          <b>${redirectPlace(asked.redirectUri).host}</b>. Signing in allows nothing yet.
        </p>
      </div>
      ${notice === null ? null : html`<p class="notice" role="alert">${notice}</p>`}
      <div class="fields">
        <label class="field"
          ><span>Login</span
          ><input
            name="login"
            value="${login}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            maxlength="128"
            required
            ${focusedIf(login === '')}
        /></label>
        <label class="field"
          ><span>Password</span
          ><input
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="128"
            required
            ${focusedIf(login !== '')}
        /></label>
      </div>
      <div class="actions">
        <button class="go last">Sign in</button>
        <button form="cancel">Cancel</button>
      </div>
    </form>
    <form id="cancel" method="post" action="${path}/cancel">${token}</form>`;
  return layout({
    tenant,
    title: 'Sign in',
    card,
    footer: html`The logins and their password were printed when the service started.`,
  });
}

function focusedIf(isNext: boolean): Markup | null {
  return isNext ? html`autofocus` : null;
}
