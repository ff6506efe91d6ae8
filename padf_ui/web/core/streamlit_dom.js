// @ts-check
// What the browser code knows of Streamlit's own elements; page.css and presented.css know the rest.
// tests/browser/test_streamlit_dom.py sees that all of them are there.

export const APP = "[data-testid=stApp]";
/** An attribute of the app: whether there is a server. */
export const CONNECTION_STATE = "data-test-connection-state";
export const BUTTON_GROUP = "[data-testid=stButtonGroup]";
