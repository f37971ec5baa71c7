// The theme: that of the system, until the button with the attribute data-theme-switch chooses another.
(() => {
	'use strict';
	const root = document.documentElement, key = 'replyproof-theme';
	const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
	const dark = () => (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
	const theme = stored();
	if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
	addEventListener('DOMContentLoaded', () => {
		for (const button of document.querySelectorAll('[data-theme-switch]')) {
			const tell = () => {
				button.setAttribute('aria-pressed', dark());
				button.textContent = dark() ? 'Light theme' : 'Dark theme';
				button.setAttribute('aria-label', 'Dark theme');
			};
			button.hidden = false;
			tell();
			button.addEventListener('click', () => {
				root.dataset.theme = dark() ? 'light' : 'dark';
				try { localStorage.setItem(key, root.dataset.theme); } catch { /* a page from a file may have no storage */ }
				tell();
			});
			matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
		}
	});
})();
