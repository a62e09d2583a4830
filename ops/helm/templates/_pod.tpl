{{/* Hardened: no root, no writable disk, no token of the cluster. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
securityContext: { runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: { type: RuntimeDefault } }
{{- end }}

{{- define "container" -}}
securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
{{- end }}

{{/* Secrets are files. Call with the root. */}}
{{- define "env" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/trading/database-url }
- { name: AUTH_SECRET_FILE, value: /run/secrets/trading/auth-secret }
- { name: CREDENTIAL_KEYS_FILE, value: /run/secrets/trading/credential-keys }
- { name: PUBLIC_URL, value: {{ printf "https://%s" .Values.host | quote }} }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/trading, readOnly: true }
{{- end }}

{{/* Call with the root: the files that a container of the service reads. The owner's password is not among them. */}}
{{- define "volumes" -}}
- { name: tmp, emptyDir: {} }
- name: secrets
  secret:
    secretName: {{ .Values.secret }}
    defaultMode: 0440
    items: [{ key: database-url, path: database-url }, { key: auth-secret, path: auth-secret }, { key: credential-keys, path: credential-keys }]
{{- end }}
