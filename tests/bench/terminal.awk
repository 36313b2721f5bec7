# Writes lines as a terminal, an SVG with plain attributes, which browsers, librsvg, Inkscape and LaTeX show alike.  Lines that begin with
# `$ `, and those that continue them, are commands.
function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
{ lines[NR] = $0; if (length($0) > longest) longest = length($0) }
END {
  width = int(longest * 8.43 + 41); height = NR * 20 + 60
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n", width, height, width, height
  print "<title>A terminal with the pipeline of awend</title>"
  printf "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#1b1f27\"/>\n", width, height
  split("#ff5f57 #febc2e #28c840", dots, " ")
  for (i = 1; i <= 3; ++i) printf "<circle cx=\"%d\" cy=\"20\" r=\"6\" fill=\"%s\"/>\n", 4 + i * 20, dots[i]
  print "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">"
  for (i = 1; i <= NR; ++i) {
    command = substr(lines[i], 1, 2) == "$ " || continued
    continued = command && lines[i] ~ /\\$/
    printf "<text x=\"20\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">%s</text>\n", i * 20 + 32, command ? "#8fd694" : "#e4e8ee", escape(lines[i])
  }
  print "</g>"
  print "</svg>"
}
