# release FOLDER NAME IDENTIFIER VERSION SEQUENCE RANGE [FIELDS]: a commit in the repository repos/FOLDER, and beside its files the
# spec that names it. A range makes it require com.example.codec, whose spec is called Codec. The variable code has fields for the
# module's description.
release() {
  local repository=repos/$1 requires= dependencies= port
  port=$(cat port)
  mkdir -p "$repository/Classes"
  [ -e "$repository/.git" ] || git init -q "$repository"
  echo "int $1(void); // $4" > "$repository/Classes/$1.c"
  echo MIT > "$repository/LICENSE"
  echo secret > "$repository/notes"
  if [ -n "$6" ]; then
    requires=', "requires": {"modules": [{"identifier": "com.example.codec", "versions": "'$6'"}]}'
    dependencies=', "dependencies": [{"name": "Codec", "versions": "'$6'"}]'
  fi
  echo '{"identifier": "'"$3"'", "version": "'"$4"'", "sequence": '"$5$requires${code-}"'}' > "$repository/module.json"
  echo '{}' > "$repository/$2.modspec.json"
  git -C "$repository" add -A
  git -C "$repository" -c user.name=Ada -c user.email=ada@example.com commit -qm "$4"
  cat > "$repository/$2.modspec.json" << END
{"name": "$2", "version": "$4", "identifier": "$3", "sequence": $5, "summary": "Plays.", "homepage": "https://example.com/p",
 "license": {"type": "MIT", "file": "LICENSE"}, "authors": [{"name": "Ada"}],
 "source": {"git": "http://127.0.0.1:$port/$1/.git", "tag": "$4", "commit": "$(git -C "$repository" rev-parse HEAD)"},
 "source_files": ["Classes/**"]$dependencies${7-}}
END
}

# binary FILE: the field of a spec for a module in the folder files.
binary() {
  echo ", \"binary\": {\"url\": \"http://127.0.0.1:$(cat fport)/$1\", \"sha256\": \"$(sha256sum < "files/$1" | cut -c1-64)\"}"
}
